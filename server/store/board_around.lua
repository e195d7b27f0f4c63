#!lua flags=no-writes
-- Read the rows around a player's own.
--
-- KEYS  1 the board (sorted set)   2 from a player to the player's member (hash)
-- ARGV  1 player   2 how many rows to each side
--
-- Gives {how many rows the board has, how many are before the first of these, the player's
-- member, member, score, ...}, or only the first when the player has no row.
local member = redis.call('HGET', KEYS[2], ARGV[1])
local place = member and redis.call('ZRANK', KEYS[1], member)
local total = redis.call('ZCARD', KEYS[1])
if not place then
  return { total }
end
local start = math.max(0, place - ARGV[2])
local rows = redis.call('ZRANGE', KEYS[1], start, place + ARGV[2], 'WITHSCORES')
return { total, start, member, unpack(rows) }
