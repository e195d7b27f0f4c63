#!lua
-- Note which rows of boards stand on a session, and let its keys live as long as the last of them.
--
-- KEYS  1 the session's hash   2 the session's log   3 its rows (sorted set, score = when a row
--       goes, in Unix milliseconds or inf)
-- ARGV  1 lifetime in seconds where no row stands on it   2 how many names of rows to take away
--       3... these, and then scores and names of rows to add
--
-- Gives 1, or 0 when there is no such session.
local session, log, rows = KEYS[1], KEYS[2], KEYS[3]
if redis.call('EXISTS', session) == 0 then
  redis.call('DEL', rows)
  return 0
end
local at = 3 + ARGV[2]
if at > 3 then
  redis.call('ZREM', rows, unpack(ARGV, 3, at - 1))
end
if ARGV[at] then
  redis.call('ZADD', rows, unpack(ARGV, at))
end
local time = redis.call('TIME')
local ends = time[1] * 1000 + ARGV[1] * 1000
local last = redis.call('ZRANGE', rows, -1, -1, 'WITHSCORES')[2]
if last == 'inf' then
  for _, key in ipairs(KEYS) do
    redis.call('PERSIST', key)
  end
  return 1
end
if last then
  ends = math.max(ends, tonumber(last))
end
for _, key in ipairs(KEYS) do
  redis.call('PEXPIREAT', key, string.format('%.0f', ends))
end
return 1
