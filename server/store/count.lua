#!lua
-- Count a session in its player's statistics, once, with the mark of its day.
--
-- KEYS  1 the statistics (hash)   2 the sessions that count (sorted set, score = when they came to)
--       3 the marks of days (hash)
-- ARGV  1 session   2 field of the statistics   3 what they were, '' for nothing   4 what they are
--       5 lifetime in seconds   6 day and 7 mark, '' for none
--
-- Gives 1, or 0 when it counts already, or -1 when the statistics are not what they were.
if ARGV[6] ~= '' then
  redis.call('HSETNX', KEYS[3], ARGV[6], ARGV[7])
  redis.call('EXPIRE', KEYS[3], ARGV[5])
end
if ARGV[4] == '' or redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 0
end
if (redis.call('HGET', KEYS[1], ARGV[2]) or '') ~= ARGV[3] then
  return -1
end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])

-- The scores are the order in which games came to count, so no two are the same.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2]
local at = math.max(now, (tonumber(last) or 0) + 1)
redis.call('ZADD', KEYS[2], string.format('%.0f', at), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now - ARGV[5] * 1000))
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return 1
