#!lua
-- Set fields of a hash that is there; one that is not there is not made.
--
-- KEYS  1 the hash
-- ARGV  fields and values
--
-- Gives 1, or 0 when there is no such hash.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
