#!lua flags=no-writes
-- Read a session's hash, its log and the time at one instant.
--
-- KEYS  1 the session's hash   2 the session's log
--
-- Gives {fields and values, the log or nil, Unix milliseconds}.
local time = redis.call('TIME')
return {
  redis.call('HGETALL', KEYS[1]),
  redis.call('GET', KEYS[2]),
  time[1] * 1000 + math.floor(time[2] / 1000),
}
