#!lua
-- Make a room, unless there is one.
--
-- KEYS  1 the room's hash
-- ARGV  1 document   2 version   3 lifetime in seconds
--
-- Gives 1 when it was made, else 0.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'doc', ARGV[1], 'v', ARGV[2], 'n', 0)
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
