#!lua
-- Take a player's row from a board.
--
-- KEYS  1 the board (sorted set)   2 from a player to the player's member (hash)
-- ARGV  1 player   2 the session whose row it must be, or '' for any
--
-- Gives the member that was taken away, or nil.
local member = redis.call('HGET', KEYS[2], ARGV[1])
-- 21 characters of figures, then the session and the player.
if not member or (ARGV[2] ~= '' and string.sub(member, 22) ~= ARGV[2] .. ':' .. ARGV[1]) then
  return false
end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[1], member)
redis.call('PUBLISH', 'yukon:topic:board:' .. string.match(KEYS[1], '{(.*)}'), '')
return member
