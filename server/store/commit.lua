#!lua
-- Commit one command of a session, or refuse it and change nothing.
--
-- KEYS  1 the session's hash   2 the session's log   3 in a race: the room's hash
-- ARGV  1 expected version     2 expected head (8 bytes)    3 action (3 bytes)
--       4 next head            5 lifetime in seconds        6 id of the committing worker
--       7 what is shown of it: state, score, ranked score and moves, with blanks between
--       8 what the viewers at other workers are sent
--       9 '1' on a cluster, where a count of receivers does not tell of a dead worker
--       in a race: 10 race   11 race:seat   12 progress   13 outcome, '' while it goes on
--
-- Gives the milliseconds since the deal that were written, or {version, head} as they are when
-- they are not the expected ones, or -1 when the race or the lane is over, or the error MISSING.
local session, log = KEYS[1], KEYS[2]
local version, worker = tonumber(ARGV[1]), ARGV[6]
local known = redis.call('HMGET', session, 'dealt_at', 'head', 'viewers')
if not known[1] then
  return redis.error_reply('MISSING no such session')
end

-- A log of exactly the expected length has five bytes from here to its end: its last time.
local last, fits = 0, known[2] == ARGV[2]
if fits and version > 0 then
  local tail = redis.call('GETRANGE', log, version * 8 - 5, -1)
  fits = #tail == 5
  if fits then
    local a, b, c, d, e = string.byte(tail, 1, 5)
    last = (((a * 256 + b) * 256 + c) * 256 + d) * 256 + e
  end
end
if not fits or version == 0 then
  if redis.call('EXISTS', log) == 0 then
    return redis.error_reply('MISSING the log of the session')
  end
  local length = redis.call('STRLEN', log)
  if not fits or length > 0 then
    return { math.floor(length / 8), known[2] }
  end
end

local time = redis.call('TIME')
local ms = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(known[1])
if ms < last then
  ms = last
end
local record = ARGV[3] .. struct.pack('>I5', ms)

-- A race takes moves while its gate is open, its limit has not passed and the lane has not ended;
-- progress and finish are written with the move. room.py says what these fields are.
local room = KEYS[3]
if room then
  local lane = ARGV[11]
  local gate = redis.call('HMGET', room, 'race', 'ends', 'f:' .. lane)
  if gate[1] ~= ARGV[10] or gate[3]
    or (gate[2] and known[1] + ms >= tonumber(gate[2])) then
    return -1
  end
  local finish = ''
  if ARGV[13] == '' then
    redis.call('HSET', room, 'p:' .. lane, ARGV[12])
  else
    finish = string.format('%s,%.0f,%d', ARGV[13], ms, redis.call('HINCRBY', room, 'n', 1))
    redis.call('HSET', room, 'p:' .. lane, ARGV[12], 'f:' .. lane, finish)
  end
  redis.call('PUBLISH', 'yukon:topic:room:' .. string.match(room, ':room:(.*)$'),
    'l ' .. lane .. ' ' .. ARGV[12] .. ' ' .. finish)
end

redis.call('APPEND', log, record)
redis.call('HSET', session, 'head', ARGV[4], 'shown', ARGV[7])

-- A lifetime is renewed when a tenth of it is over: asking costs less than writing.
local lifetime, left = tonumber(ARGV[5]), redis.call('TTL', session)
if left > lifetime or left < lifetime * 0.9 then
  redis.call('EXPIRE', session, lifetime)
  redis.call('EXPIRE', log, lifetime)
end

local viewers = known[3]
if viewers and viewers ~= worker and viewers ~= '' then
  -- bus.py reads this: kind, length of the id, version, id, head, record, event
  local name, alive = string.match(session, ':session:(.*)$'), {}
  local message = struct.pack('>BBI4', 1, #name, version + 1) .. name .. ARGV[4] .. record .. ARGV[8]
  for viewer in string.gmatch(viewers, '%S+') do
    if viewer == worker
      or redis.call('PUBLISH', 'yukon:worker:' .. viewer, message) > 0
      or ARGV[9] == '1' then
      alive[#alive + 1] = viewer
    end
  end
  local now = table.concat(alive, ' ')
  if now ~= viewers then
    redis.call('HSET', session, 'viewers', now)
  end
end
return ms
