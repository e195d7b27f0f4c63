#!lua
-- Commit a decision about a room with all that follows from it, or refuse it and change nothing.
--
-- KEYS  1 the room's hash   2 its finished races
--       3... the hash and the log of each session to deal, then the hash of each session to mark
-- ARGV  1 expected version   2 expected count of finishes   3 document   4 version
--       5 the room's lifetime in seconds   6 the lifetime of a session   7 the instant, Unix ms
--       8 what everybody who listens to the room is told
--       9... counted lists, each with its length first: fields to delete; fields to set, with their
--       values; lanes that end (race:seat), with outcome and time; finished races; sessions to deal,
--       as the counted list of the fields of each; marks of sessions (closed or opened), one for
--       each hash that is left in KEYS
--
-- Gives {1} when it was committed, or {0} when the room has changed, or the error MISSING.
local room, races, at = KEYS[1], KEYS[2], 8
local known = redis.call('HMGET', room, 'v', 'n')
if not known[1] then
  return redis.error_reply('MISSING no such room')
end
if known[1] ~= ARGV[1] or (known[2] or '0') ~= ARGV[2] then
  return { 0 }
end

local function take()
  at = at + 1
  return ARGV[at]
end
local function list()
  local length, taken = tonumber(take()), {}
  for number = 1, length do
    taken[number] = take()
  end
  return taken
end

local gone, set, ends, finished = list(), list(), list(), list()
if #gone > 0 then
  redis.call('HDEL', room, unpack(gone))
end
redis.call('HSET', room, 'doc', ARGV[3], 'v', ARGV[4], unpack(set))
for number = 1, #ends, 3 do
  local finish = 'f:' .. ends[number]
  if redis.call('HEXISTS', room, finish) == 0 then
    local order = redis.call('HINCRBY', room, 'n', 1)
    redis.call('HSET', room, finish, ends[number + 1] .. ',' .. ends[number + 2] .. ',' .. order)
  end
end
redis.call('EXPIRE', room, ARGV[5])
if #finished > 0 then
  redis.call('RPUSH', races, unpack(finished))
  redis.call('LTRIM', races, -100, -1)
end
redis.call('EXPIRE', races, ARGV[5])

local key = 3
for _ = 1, tonumber(take()) do
  local session, log = KEYS[key], KEYS[key + 1]
  key = key + 2
  redis.call('SET', log, '', 'EX', ARGV[6])
  redis.call('HSET', session, 'dealt_at', ARGV[7], unpack(list()))
  redis.call('EXPIRE', session, ARGV[6])
end
for _, mark in ipairs(list()) do
  local session = KEYS[key]
  key = key + 1
  if redis.call('EXISTS', session) == 1 then
    redis.call('HSETNX', session, mark, ARGV[7])
  end
end

if ARGV[8] ~= '' then
  redis.call('PUBLISH', 'yukon:topic:room:' .. string.match(room, ':room:(.*)$'), ARGV[8])
end
return { 1 }
