#!lua
-- Remove a player, and tell where they may sit: who sits down from now on finds no player.
--
-- KEYS  1 the player's hash   2 their rooms (sorted set)
--
-- Gives the rooms.
local rooms = redis.call('ZRANGE', KEYS[2], 0, -1)
redis.call('DEL', KEYS[1], KEYS[2])
return rooms
