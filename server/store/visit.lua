#!lua
-- Make a hash that is gone after some time.
--
-- KEYS  1 the hash
-- ARGV  1 its lifetime in seconds   2... fields and values
--
-- Gives 1.
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return redis.call('EXPIRE', KEYS[1], ARGV[1])
