#!lua flags=no-writes
-- Read a page of a board: the rows after one, which may be gone by now.
--
-- KEYS  1 the board (sorted set)
-- ARGV  1 how many rows   2 score   3 member of the row before the page; both '' for the first page
--
-- Gives {how many rows the board has, how many are before the page, member, score, ...}.
local board, member = KEYS[1], ARGV[3]

-- As a set orders them, whatever the language of the machine.
local function before(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then
      return a < b
    end
  end
  return #one < #other
end

local start = 0
if member ~= '' then
  start = redis.call('ZCOUNT', board, '-inf', '(' .. ARGV[2])
  local above = start + redis.call('ZCOUNT', board, ARGV[2], ARGV[2])
  while start < above do
    local middle = math.floor((start + above) / 2)
    local found = redis.call('ZRANGE', board, middle, middle)[1]
    if found == member or before(found, member) then
      start = middle + 1
    else
      above = middle
    end
  end
end
local rows = redis.call('ZRANGE', board, start, start + ARGV[1] - 1, 'WITHSCORES')
return { redis.call('ZCARD', board), start, unpack(rows) }
