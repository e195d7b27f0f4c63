#!lua
-- Open the way for one more device of a player, in place of one that was open before.
--
-- KEYS  1 the player's hash
-- ARGV  1 hash of the secret that opens it   2 for how many milliseconds
--
-- Gives the Unix milliseconds at which it closes, or 0 when there is no such player.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
redis.call('HSET', KEYS[1], 'transfer', ARGV[1], 'transfer_ends', string.format('%.0f', ends))
return ends
