#!lua
-- Claim what is due, each thing once, with a lease: what is not done when the lease is over is
-- due again.
--
-- KEYS  1 the schedule (sorted set, score = Unix microseconds)
-- ARGV  1 how many microseconds a thing must have been due   2 the lease in microseconds
--       3 how many things at most
--
-- Gives {the score that stands for this claim, microseconds until the next thing is due or -1,
-- what was claimed ...}.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local lease = string.format('%.0f', now + ARGV[2])
local claimed = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[1]),
  'BYSCORE', 'LIMIT', 0, ARGV[3])
for _, what in ipairs(claimed) do
  redis.call('ZADD', KEYS[1], lease, what)
end
local first, wait = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES'), -1
if first[2] then
  wait = math.max(0, first[2] + ARGV[1] - now)
end
table.insert(claimed, 1, wait)
table.insert(claimed, 1, lease)
return claimed
