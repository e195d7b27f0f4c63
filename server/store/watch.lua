#!lua
-- Note that a worker has viewers of a session, or has none any more.
--
-- KEYS  1 the session's hash
-- ARGV  1 the worker's id   2 '1' has viewers, '0' has none   3 how many workers to remember
--       4 whose session it has to be, '' for anybody's
--
-- Gives 1, or 0 when there is no such session.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
if ARGV[4] ~= '' and redis.call('HGET', KEYS[1], 'player') ~= ARGV[4] then
  return 0
end
local before, after = redis.call('HGET', KEYS[1], 'viewers') or '', {}
for viewer in string.gmatch(before, '%S+') do
  if viewer ~= ARGV[1] then
    after[#after + 1] = viewer
  end
end
if ARGV[2] == '1' then
  after[#after + 1] = ARGV[1]
end
local first = math.max(1, #after - tonumber(ARGV[3]) + 1)
local now = table.concat(after, ' ', first)
if now ~= before then
  redis.call('HSET', KEYS[1], 'viewers', now)
end
return 1
