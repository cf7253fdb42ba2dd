import { QUEUE_HASHES, QUEUE_KEYS, TAKEOVERS } from './keys.ts'

export { ACKNOWLEDGE, CLEAR_PENDING_POLL, CLEAR_STREAM, POLL } from './poll-script.ts'
export { SWEEP } from './sweep-script.ts'

const toLuaList = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')

/**
 * Lua scripts of a partition; each runs atomically. KEYS[1] is always the partition's `meta` hash (it routes the script in a
 * cluster); other keys are made from the prefix in ARGV[1], under the same hash tag.
 *
 * meta: token (fencing), offset (last committed), positions (of streams, JSON), mark (the offset and the digest of its entry),
 * commits (their number), trimmed (offset below which all payloads were dropped), thinned (offset up to which the sweep last
 * dropped unreferenced payloads between queues). payloads: entries' texts by offset, each once for all queues.
 *
 * By the number of commits an owner notices a Redis that lost writes, even if those moved no offset: a closed queue would
 * return as one that its owner doesn't know, and would never get events.
 */

/**
 * ARGV: prefix, token, lease ms. Acquires the lease if it is free and returns 1, else 0. Tokens are unique strings rather than a
 * counter: a Redis that lost its last second could issue the same number twice.
 */
export const ACQUIRE = `
if not redis.call('SET', ARGV[1] .. 'lease', ARGV[2], 'NX', 'PX', ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[2])
return 1
`

/** ARGV: prefix, token, lease ms. Extends the lease. Returns the number of commits, or -1 if the lease is lost. */
export const RENEW = `
local lease = ARGV[1] .. 'lease'
if redis.call('GET', lease) ~= ARGV[2] or redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] then return -1 end
redis.call('PEXPIRE', lease, ARGV[3])
return tonumber(redis.call('HGET', KEYS[1], 'commits') or '0')
`

/** ARGV: prefix, token. Releases the lease if it still has that token. */
export const RELEASE = `
local lease = ARGV[1] .. 'lease'
if redis.call('GET', lease) == ARGV[2] then redis.call('DEL', lease) end
return 1
`

/**
 * Empties a partition that is new or whose log was lost, and sets its log offset. Counts as a commit. ARGV: prefix, token, offset,
 * positions. Returns 1, or 0 when fenced.
 */
export const RESET = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] then return 0 end
-- A queue that its client has just deleted is no longer in 'queues' but still has keys.
for _, qids in ipairs({redis.call('HKEYS', ARGV[1] .. 'queues'), redis.call('ZRANGE', ARGV[1] .. 'idle', 0, -1)}) do
  for _, qid in ipairs(qids) do
    for _, name in ipairs({${toLuaList(QUEUE_KEYS)}}) do redis.call('DEL', ARGV[1] .. name .. qid) end
  end
end
for _, name in ipairs({'idle', 'payloads', ${toLuaList(QUEUE_HASHES)}}) do redis.call('DEL', ARGV[1] .. name) end
redis.call('HSET', KEYS[1], 'offset', ARGV[3], 'positions', ARGV[4])
redis.call('HSET', KEYS[1], 'trimmed', string.format('%.0f', tonumber(ARGV[3]) + 1))
redis.call('HINCRBY', KEYS[1], 'commits', 1)
return 1
`

/**
 * Writes a batch's changes and its last offset atomically. ARGV: prefix, token, expected offset, new offset, positions, mark,
 * PUBLISH or SPUBLISH, wake channel, wake message, expected number of commits, then operations, each a letter with its
 * arguments: O queue record lifespan n channel… (open) · U queue record (update) · C queue (close) · A queue channel
 * (subscribe) · R queue channel (unsubscribe) · S queue n user… (visible) · D queue user (invisible) · L offset body (payload) ·
 * P queue n id… (append events). Returns 1 done · 0 fenced · 2 if the stored offset or number of commits differs (a lost
 * second, or this very commit succeeded before).
 */
export const COMMIT = `
local prefix = ARGV[1]
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] then return 0 end
if redis.call('HGET', KEYS[1], 'offset') ~= ARGV[3] then return 2 end
if (redis.call('HGET', KEYS[1], 'commits') or '0') ~= ARGV[10] then return 2 end
local now = redis.call('TIME')
local seconds = tonumber(now[1])
local lowest = math.huge
local i = 11
while i <= #ARGV do
  local op, qid = ARGV[i], ARGV[i + 1]
  if op == 'P' then
    local n = tonumber(ARGV[i + 2])
    redis.call('RPUSH', prefix .. 'q:' .. qid, unpack(ARGV, i + 3, i + 2 + n))
    i = i + 3 + n
  elseif op == 'L' then
    redis.call('HSET', prefix .. 'payloads', qid, ARGV[i + 2])
    lowest = math.min(lowest, tonumber(qid))
    i = i + 3
  elseif op == 'O' then
    local n = tonumber(ARGV[i + 4])
    redis.call('HSET', prefix .. 'queues', qid, ARGV[i + 2])
    redis.call('ZADD', prefix .. 'idle', seconds + tonumber(ARGV[i + 3]), qid)
    if n > 0 then redis.call('SADD', prefix .. 'channels:' .. qid, unpack(ARGV, i + 5, i + 4 + n)) end
    i = i + 5 + n
  elseif op == 'C' then
    for _, name in ipairs({${toLuaList(QUEUE_HASHES)}}) do redis.call('HDEL', prefix .. name, qid) end
    for _, name in ipairs({${toLuaList(QUEUE_KEYS)}}) do redis.call('DEL', prefix .. name .. qid) end
    redis.call('ZREM', prefix .. 'idle', qid)
    i = i + 2
  elseif op == 'U' then
    -- A queue that its client has deleted must not come back.
    if redis.call('HEXISTS', prefix .. 'queues', qid) == 1 then
      redis.call('HSET', prefix .. 'queues', qid, ARGV[i + 2])
    end
    i = i + 3
  elseif op == 'S' then
    local n = tonumber(ARGV[i + 2])
    redis.call('SADD', prefix .. 'visible:' .. qid, unpack(ARGV, i + 3, i + 2 + n))
    i = i + 3 + n
  elseif op == 'D' then
    redis.call('SREM', prefix .. 'visible:' .. qid, ARGV[i + 2])
    i = i + 3
  elseif op == 'A' then
    redis.call('SADD', prefix .. 'channels:' .. qid, ARGV[i + 2])
    i = i + 3
  else
    redis.call('SREM', prefix .. 'channels:' .. qid, ARGV[i + 2])
    i = i + 3
  end
end
-- A new queue may refer to older entries whose payloads were dropped already.
if lowest < tonumber(redis.call('HGET', KEYS[1], 'trimmed') or '0') then
  redis.call('HSET', KEYS[1], 'trimmed', string.format('%.0f', lowest))
end
redis.call('HSET', KEYS[1], 'offset', ARGV[4], 'positions', ARGV[5], 'mark', ARGV[6])
redis.call('HINCRBY', KEYS[1], 'commits', 1)
if ARGV[9] ~= '' then redis.call(ARGV[7], ARGV[8], ARGV[9]) end
return 1
`

/**
 * Deletes a queue from 'queues' and marks it as expired. The owner of the partition cleans up when it reads the closing in the
 * log, or with its next sweep, because the closing may never be written and a later owner doesn't know the queue. The replica
 * with its pending poll gets a message to end it. ARGV: prefix, queue, user, PUBLISH or SPUBLISH. Returns 1, or 0 if there is no
 * such queue.
 */
export const DELETE_QUEUE = `
local record = redis.call('HGET', ARGV[1] .. 'queues', ARGV[2])
local owner = ARGV[3] .. '|'
if not record or string.sub(record, 1, #owner) ~= owner then return 0 end
redis.call('HDEL', ARGV[1] .. 'queues', ARGV[2])
redis.call('ZADD', ARGV[1] .. 'idle', 0, ARGV[2])
local replica = redis.call('HGET', ARGV[1] .. 'poll_replicas', ARGV[2])
if replica then redis.call(ARGV[4], ARGV[1] .. '${TAKEOVERS}' .. replica, ARGV[2]) end
return 1
`

/** Reads payloads. ARGV: prefix, bytes after which no more are returned, offset…. Returns {text or false…}. */
export const PAYLOADS = `
local texts, length = {}, 0
for i = 3, #ARGV do
  local text = redis.call('HGET', ARGV[1] .. 'payloads', ARGV[i])
  texts[#texts + 1] = text
  length = length + (text and #text or 0)
  if length > tonumber(ARGV[2]) then break end
end
return texts
`

/** ARGV: replica, ms without announcement after which a replica is removed. KEYS[1]: replicas. Returns the live ones. */
export const ANNOUNCE = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZADD', KEYS[1], ms, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms - tonumber(ARGV[2]))
return redis.call('ZRANGE', KEYS[1], 0, -1)
`
