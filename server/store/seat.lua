#!lua
-- Note at a player that they are about to have a seat in a room; the newest such rooms are kept.
--
-- KEYS  1 the player's hash   2 their rooms (sorted set, score = when they sat down, Unix ms)
-- ARGV  1 room   2 how many rooms to remember   3 lifetime in seconds
--
-- Gives 1, or 0 when there is no such player.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[2], string.format('%.0f', now), ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -ARGV[2] - 1)
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
