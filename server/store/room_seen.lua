#!lua
-- Note that players of a room are connected for some time, or that one is not any more; of who was
-- not noted, nothing is.
--
-- KEYS  1 the room's hash
-- ARGV  1 for how long, in milliseconds: 0 for those who went   2... the fields of the players
--
-- Gives {Unix milliseconds, the fields whose players came or went by this ...}, or the error
-- MISSING.
local room = KEYS[1]
if redis.call('EXISTS', room) == 0 then
  return redis.error_reply('MISSING no such room')
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease, changed = tonumber(ARGV[1]), { now }
for number = 2, #ARGV do
  local noted = redis.call('HGET', room, ARGV[number])
  local before = tonumber(noted or 0)
  if noted or lease > 0 then
    redis.call('HSET', room, ARGV[number], string.format('%.0f', now + lease))
  end
  if (before > now) ~= (lease > 0) then
    changed[#changed + 1] = ARGV[number]
  end
end
if #changed > 1 then
  redis.call('PUBLISH', 'yukon:topic:room:' .. string.match(room, ':room:(.*)$'), 'c')
end
return changed
