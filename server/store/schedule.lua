#!lua
-- Put something on a schedule, so many microseconds from now by the clock of Redis.
--
-- KEYS  1 the schedule (sorted set, score = Unix microseconds)
-- ARGV  1 what   2 microseconds from now
--
-- Gives the instant in Unix microseconds.
local time = redis.call('TIME')
local at = time[1] * 1000000 + time[2] + ARGV[2]
redis.call('ZADD', KEYS[1], string.format('%.0f', at), ARGV[1])
return at
