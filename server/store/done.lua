#!lua
-- Take a claimed thing off the schedule, unless it was scheduled anew meanwhile.
--
-- KEYS  1 the schedule (sorted set)
-- ARGV  1 what   2 the score that stands for the claim
--
-- Gives 1 when it was taken off, else 0.
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or -1) ~= tonumber(ARGV[2]) then
  return 0
end
return redis.call('ZREM', KEYS[1], ARGV[1])
