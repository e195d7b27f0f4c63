#!lua
-- Let one more device in through an open transfer and close it behind, or change nothing.
--
-- KEYS  1 the player's hash
-- ARGV  1 hash of the secret that opens it   2 hash of the new device's own secret
--       3 how many bytes of such hashes are kept: the oldest go
--
-- Gives 1, or 0 when no transfer with this secret is open, or -1 when the player is banned.
local known = redis.call('HMGET', KEYS[1], 'transfer', 'transfer_ends', 'secret', 'banned')
local time = redis.call('TIME')
if known[1] ~= ARGV[1]
  or time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(known[2] or 0) then
  return 0
end
if known[4] and known[4] ~= '' then
  return -1
end
redis.call('HDEL', KEYS[1], 'transfer', 'transfer_ends')
redis.call('HSET', KEYS[1], 'secret', string.sub((known[3] or '') .. ARGV[2], -ARGV[3]))
return 1
