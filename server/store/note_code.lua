#!lua
-- Note which session of a player had a sealed code first. So many codes are remembered; the oldest
-- give way to new ones, but none that is so young that its cards may come again.
--
-- KEYS  1 from each code to its first session (hash)
--       2 the same codes (sorted set, score = when they were noted, in Unix milliseconds)
--       3 the player's hash
-- ARGV  1 code   2 session   3 lifetime in seconds   4 how many codes are remembered
--       5 for how many milliseconds none gives way
--
-- Gives that session, this one or an earlier, or '' where no room is left or there is no such player
-- any more: then it is nobody's.
local codes, noted = KEYS[1], KEYS[2]
if redis.call('EXISTS', KEYS[3]) == 0 then
  return ''
end
local owner = redis.call('HGET', codes, ARGV[1])
if not owner then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local over = redis.call('ZCARD', noted) - ARGV[4] + 1
  if over > 0 then
    local old = redis.call('ZRANGE', noted, '-inf', string.format('%.0f', now - ARGV[5]),
      'BYSCORE', 'LIMIT', 0, over)
    for _, code in ipairs(old) do
      redis.call('HDEL', codes, code)
      redis.call('ZREM', noted, code)
    end
    over = over - #old
  end
  owner = ''
  if over <= 0 then
    owner = ARGV[2]
    redis.call('HSET', codes, ARGV[1], owner)
    redis.call('ZADD', noted, string.format('%.0f', now), ARGV[1])
  end
end
redis.call('EXPIRE', codes, ARGV[3])
redis.call('EXPIRE', noted, ARGV[3])
return owner
