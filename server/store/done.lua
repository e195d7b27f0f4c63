#!lua
-- Take a claimed thing off the schedule, or give it its next instant; what was scheduled anew
-- meanwhile stays where it is, or moves nearer.
--
-- KEYS  1 the schedule (sorted set)
-- ARGV  1 what   2 the score that stands for the claim   3 the next instant, in microseconds
--
-- Gives 1 when the claim still stood, else 0.
local stands = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or -1) == tonumber(ARGV[2])
if ARGV[3] then
  if stands then
    redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  else
    redis.call('ZADD', KEYS[1], 'LT', ARGV[3], ARGV[1])
  end
elseif stands then
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return stands and 1 or 0
