#!lua
-- Give a player a row on a board, unless the one they have is better. Doing it again changes
-- nothing.
--
-- KEYS  1 the board (sorted set)   2 from a player to the player's member (hash)
--       3 members that gave way and whose sessions are not told yet (set)
-- ARGV  1 player   2 score   3 member   4 when the board goes, in Unix milliseconds, or '' for never
--
-- Gives {1 when this row is there now, else 0, the members that gave way ...}.
local board, members, left = KEYS[1], KEYS[2], KEYS[3]
local new = ARGV[3]
local old = redis.call('HGET', members, ARGV[1])
local stands = old == new
if not stands then
  -- Which one is better is asked of the set itself: Lua may order texts by the language of the
  -- machine, and a set orders bytes.
  redis.call('ZADD', board, ARGV[2], new)
  local place = old and redis.call('ZRANK', board, old)
  if place and place < redis.call('ZRANK', board, new) then
    redis.call('ZREM', board, new)
  else
    stands = true
    if old then
      redis.call('ZREM', board, old)
      redis.call('SADD', left, old)
    end
    redis.call('HSET', members, ARGV[1], new)
    redis.call('PUBLISH', 'yukon:topic:board:' .. string.match(board, '{(.*)}'), '')
  end
end
for _, key in ipairs(ARGV[4] == '' and {} or KEYS) do
  if redis.call('PEXPIRETIME', key) < tonumber(ARGV[4]) then
    redis.call('PEXPIREAT', key, ARGV[4])
  end
end
return { stands and 1 or 0, unpack(redis.call('SMEMBERS', left)) }
