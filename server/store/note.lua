#!lua
-- Note which session of a player had the deal of a day first.
--
-- KEYS  1 from each day to its first session (hash)
-- ARGV  1 day   2 session   3 lifetime in seconds
--
-- Gives that session, this one or an earlier.
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('HGET', KEYS[1], ARGV[1])
