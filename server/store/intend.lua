#!lua
-- Note the boards that a player may have rows on from now on; boards that are gone are forgotten.
--
-- KEYS  1 the player's rows (sorted set, score = when a board goes, in Unix milliseconds or inf)
-- ARGV  1 lifetime in seconds   2... scores and names of rows
--
-- Gives 1.
local rows, time = KEYS[1], redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', rows, '-inf', string.format('%.0f', now))
redis.call('ZADD', rows, 'GT', unpack(ARGV, 2))
redis.call('EXPIRE', rows, ARGV[1])
return 1
