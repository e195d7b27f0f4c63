#!lua
-- Deal a session, once: the same id a second time gives what was made the first time.
--
-- KEYS  1 the session's hash   2 the session's log
-- ARGV  1 lifetime in seconds  2 the instant of the deal in Unix milliseconds, or '' for now
--       3... fields and values of the hash
--
-- Gives {1 when it was made now or 0, the instant of the deal}, or the error MISSING.
local session, log = KEYS[1], KEYS[2]
local known = redis.call('HGET', session, 'dealt_at')
if known then
  if redis.call('EXISTS', log) == 0 then
    return redis.error_reply('MISSING the log of the session')
  end
  return { 0, tonumber(known) }
end
local dealt_at = tonumber(ARGV[2])
if not dealt_at then
  local time = redis.call('TIME')
  dealt_at = time[1] * 1000 + math.floor(time[2] / 1000)
end
redis.call('SET', log, '', 'EX', ARGV[1])
redis.call('DEL', session)
redis.call('HSET', session, 'dealt_at', string.format('%.0f', dealt_at), unpack(ARGV, 3))
redis.call('EXPIRE', session, ARGV[1])
return { 1, dealt_at }
