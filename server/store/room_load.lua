#!lua flags=no-writes
-- Read all of a room, and the time, at one instant.
--
-- KEYS  1 the room's hash
--
-- Gives {fields and values, Unix milliseconds}.
local time = redis.call('TIME')
return { redis.call('HGETALL', KEYS[1]), time[1] * 1000 + math.floor(time[2] / 1000) }
