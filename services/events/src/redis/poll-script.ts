import { MAX_BATCH } from '../delivery/changes.ts'
import { FIRST_HEARTBEAT, IDS_PER_OFFSET } from '../kernel/event-id.ts'
import { MAX_ANSWER_ENDS, STREAMED } from './delivery-boundaries.ts'
import { TAKEOVERS } from './keys.ts'

/**
 * Functions that acknowledge events. `acknowledge` returns the ID that is the last acknowledged one from then on, which the caller
 * records, or false and {status}.
 *
 * IDs in the upper half of an offset's range are heartbeats, which are in no list. A heartbeat is sent only while the queue is
 * empty, as the first of its offset or as the successor of the acknowledged ID (`heartbeatIdOf`), so acknowledging it can't drop
 * an event. An ID beyond the committed offset may be valid if Redis lost its last second: the event is about to be appended
 * again, and is dropped then.
 */
const ACKNOWLEDGING = `
local committed = redis.call('HGET', KEYS[1], 'offset') or '-1'
local now = redis.call('TIME')
local function isOf(record, userId)
  local owner = userId .. '|'
  return record and string.sub(record, 1, #owner) == owner
end
local function lifespanOf(record) return tonumber(string.match(record, '^%d+|(%d+)|')) end
-- Also drops events that were acknowledged before and that the log brought again after a lost second.
local function dropUpTo(list, id)
  local head = redis.call('LINDEX', list, 0)
  while head and tonumber(head) <= id do
    redis.call('LPOP', list)
    head = redis.call('LINDEX', list, 0)
  end
  return head and tonumber(head)
end
local function acknowledge(list, acked, lastId, isLostCommitPossible)
  local last = tonumber(lastId)
  if last < acked then return false, {'stale'} end
  if last == acked then return last end
  local listIndex = redis.call('LPOS', list, lastId)
  local offset = math.floor(last / ${IDS_PER_OFFSET})
  local index = last - offset * ${IDS_PER_OFFSET}
  if listIndex then
    redis.call('LTRIM', list, listIndex + 1, -1)
  elseif offset > tonumber(committed) then
    if isLostCommitPossible ~= '1' then return false, {'unknown_event'} end
  else
    local head = dropUpTo(list, acked)
    if index < ${FIRST_HEARTBEAT} or (index > ${FIRST_HEARTBEAT} and last ~= acked + 1) or (head and head < last) then return false, {'unknown_event'} end
  end
  return last
end
`

/** Number of arguments of a poll, after the prefix. */
const POLL_ARGUMENTS = 12

/**
 * Acknowledges events and reads a queue, for several polls of a partition in turn. ARGV: prefix, then for each poll: queue, user, last event ID or '', lifespan grace in seconds, replica where
 * the poll will be pending or '', 1 to return the record, maximum number of events, 1 if the commit with that event ID may have been lost,
 * number of the same poll when it read the queue before or '', PUBLISH or SPUBLISH, 1 for a stream, ID after which to read or ''.
 * Returns for each poll {status, …}, or {'failed', message}:
 * {'missing', offset} · {'stale'} (the ID is below the acknowledged one) · {'unknown_event'} (the ID was never in the queue) ·
 * {'superseded'} (a pending poll reads again while a newer one is pending, and hasn't got that message yet) ·
 * {'ok', offset, record, boundaries, number, id…}.
 *
 * The replica where an older poll may be pending gets a message to end it, unless it is the same replica, which ends the older
 * poll on getting this answer. A poll that doesn't wait ends any pending one, unless it is the last read of that same poll.
 *
 * `number` grows from poll to poll: it is Redis' clock in microseconds, which costs neither memory nor a write. If the clock is
 * set back, the older of two polls stays pending beside the newer until its heartbeat.
 *
 * `boundaries` has the format of delivery-boundaries.ts. While the queue is empty and a poll is pending, it is
 * 'pending:<number>'. That poll is answered with the events of the first commit, and nobody records which those were: at most
 * a batch's offsets, counted from the first event. A poll that ends removes only its own entry, because a newer poll may be
 * pending by then. A poll that doesn't wait leaves the entry of a pending one, which may be answering at that moment and removes
 * its entry itself.
 *
 * A stream is in 'streams' with the number of its last read, until it ends or another poll or stream takes over. It delivers
 * events singly as they are committed, and nobody records which: after it, events beyond the last end stay single until the
 * queue has been empty.
 */
export const POLL = `
local prefix = ARGV[1]
${ACKNOWLEDGING}
local qids = {}
for i = 2, #ARGV, ${POLL_ARGUMENTS} do qids[#qids + 1] = ARGV[i] end
-- Fields of all queues by one command for each hash, and what the polls write of them.
local fields, written = {}, {}
for _, hash in ipairs({'queues', 'acked', 'poll_replicas', 'boundaries', 'streams'}) do
  local values = redis.call('HMGET', prefix .. hash, unpack(qids))
  fields[hash], written[hash] = {}, {}
  for i, qid in ipairs(qids) do fields[hash][qid] = values[i] end
end
-- What is to be written at the end, and is seen by another poll of the queue in the same call; false deletes the field.
local function note(hash, qid, value)
  fields[hash][qid] = value
  written[hash][qid] = value
end
local idleUntil, reads = {}, {}
local function poll(qid, userId, lastId, grace, replica, wantsRecord, limit, isLostCommitPossible, pendingNumber, publish, isStream, after)
local record = fields.queues[qid]
if not isOf(record, userId) then return {'missing', committed} end
local acked = tonumber(fields.acked[qid] or '-1')
local list = prefix .. 'q:' .. qid
local previousReplica = fields.poll_replicas[qid] or ''
local stored = fields.boundaries[qid] or ''
local isPending = string.sub(stored, 1, 8) == 'pending:'
local stream = fields.streams[qid]
if replica ~= '' and pendingNumber ~= '' and isPending and stored ~= 'pending:' .. pendingNumber then return {'superseded'} end
if pendingNumber ~= '' and (stream or isStream == '1') and stream ~= pendingNumber then return {'superseded'} end
if lastId ~= '' then
  local last, failure = acknowledge(list, acked, lastId, isLostCommitPossible)
  if not last then return failure end
  if last ~= acked then note('acked', qid, lastId) end
  acked = last
end
idleUntil[qid] = tonumber(now[1]) + lifespanOf(record) + tonumber(grace)
if replica ~= '' and replica ~= previousReplica then note('poll_replicas', qid, replica) end
local ids = redis.call('LRANGE', list, 0, limit - 1)
local first = ids[1]
if first and tonumber(first) <= acked then
  first = dropUpTo(list, acked)
  ids = redis.call('LRANGE', list, 0, limit - 1)
end
local afterIndex = after ~= '' and redis.call('LPOS', list, after)
if afterIndex then ids = redis.call('LRANGE', list, afterIndex + 1, afterIndex + limit) end
local boundaries = stored
-- Another poll of the queue in the same call has the next number.
reads[qid] = (reads[qid] or -1) + 1
local number = string.format('%.0f', now[1] * 1000000 + now[2] + reads[qid])
local mayHaveOlderPoll = previousReplica ~= replica
if replica == '' then mayHaveOlderPoll = (isPending or stream) and pendingNumber == '' end
if mayHaveOlderPoll and previousReplica ~= '' then
  redis.call(publish, prefix .. '${TAKEOVERS}' .. previousReplica, qid .. ' ' .. number)
end
local isStreamed = stream or string.sub(stored, -1) == '${STREAMED}'
if isStream == '1' then
  note('streams', qid, number)
elseif stream then
  note('streams', qid, false)
end
local kept
if not first then
  if replica ~= '' and isStream ~= '1' then
    boundaries = 'pending:' .. number
  elseif not isPending or isStream == '1' or stored == 'pending:' .. pendingNumber then
    boundaries = ''
  end
  kept = boundaries
else
  local singly = string.match(boundaries, '^%d+') or '0'
  if isPending then
    singly = string.format('%.0f', (math.floor(tonumber(first) / ${IDS_PER_OFFSET}) + ${MAX_BATCH}) * ${IDS_PER_OFFSET})
  end
  local ends = {}
  for id in string.gmatch(boundaries, '|(%d+)') do ends[#ends + 1] = id end
  if isStreamed or #ends < ${MAX_ANSWER_ENDS} then
    local parts = {singly}
    for _, id in ipairs(ends) do
      if tonumber(id) > acked then parts[#parts + 1] = id end
    end
    local last = ids[#ids]
    if last and not isStreamed and (#ends == 0 or tonumber(last) > tonumber(ends[#ends])) then parts[#parts + 1] = last end
    boundaries = table.concat(parts, '|')
    if isStreamed then boundaries = boundaries .. '${STREAMED}' end
  end
  kept = boundaries
  if isStream == '1' and not isStreamed then kept = kept .. '${STREAMED}' end
end
if kept ~= stored then note('boundaries', qid, kept ~= '' and kept) end
local answer = {'ok', committed, wantsRecord == '1' and record or '', boundaries, number}
for _, id in ipairs(ids) do answer[#answer + 1] = id end
return answer
end
local function failedBy(err) return {'failed', type(err) == 'table' and err.err or tostring(err)} end
local answers = {}
for i = 2, #ARGV, ${POLL_ARGUMENTS} do
  -- One that fails must not fail the others, which have happened.
  local isDone, answer = pcall(poll, unpack(ARGV, i, i + ${POLL_ARGUMENTS} - 1))
  answers[#answers + 1] = isDone and answer or failedBy(answer)
end
local function writeNoted()
for hash, values in pairs(written) do
  local set, deleted = {}, {}
  for qid, value in pairs(values) do
    if value then
      set[#set + 1] = qid
      set[#set + 1] = value
    else
      deleted[#deleted + 1] = qid
    end
  end
  if #set > 0 then redis.call('HSET', prefix .. hash, unpack(set)) end
  if #deleted > 0 then redis.call('HDEL', prefix .. hash, unpack(deleted)) end
end
local idle = {}
for qid, time in pairs(idleUntil) do
  idle[#idle + 1] = time
  idle[#idle + 1] = qid
end
if #idle > 0 then redis.call('ZADD', prefix .. 'idle', unpack(idle)) end
end
local isWritten, failure = pcall(writeNoted)
if not isWritten then
  for i, answer in ipairs(answers) do
    if answer[1] == 'ok' then answers[i] = failedBy(failure) end
  end
end
return answers
`

/**
 * Acknowledges events, and leaves polls and streams as they are; IDs below the acknowledged one change nothing. ARGV: prefix,
 * queue, user, last event ID, lifespan grace in seconds of a streamed queue, 1 if the commit with that event ID may have been lost.
 * Returns {status, …} as POLL does, without 'stale' and 'superseded'.
 */
export const ACKNOWLEDGE = `
local prefix, qid, userId, lastId, grace, isLostCommitPossible = unpack(ARGV)
${ACKNOWLEDGING}
local record = redis.call('HGET', prefix .. 'queues', qid)
if not isOf(record, userId) then return {'missing', committed} end
local acked = tonumber(redis.call('HGET', prefix .. 'acked', qid) or '-1')
local list = prefix .. 'q:' .. qid
local last, failure = acknowledge(list, acked, lastId, isLostCommitPossible)
if not last and failure[1] ~= 'stale' then return failure end
if last and last ~= acked then redis.call('HSET', prefix .. 'acked', qid, lastId) end
dropUpTo(list, last or acked)
local extra = redis.call('HEXISTS', prefix .. 'streams', qid) == 1 and tonumber(grace) or 0
redis.call('ZADD', prefix .. 'idle', tonumber(now[1]) + lifespanOf(record) + extra, qid)
local stored = redis.call('HGET', prefix .. 'boundaries', qid) or ''
if redis.call('EXISTS', list) == 0 and stored ~= '' and string.sub(stored, 1, 8) ~= 'pending:' then
  redis.call('HDEL', prefix .. 'boundaries', qid)
end
return {'ok', committed}
`

/** Removes the record of a stream that ended; the queue's lifespan counts from now. ARGV: prefix, queue, number of its last read. */
export const CLEAR_STREAM = `
local prefix, qid = ARGV[1], ARGV[2]
if redis.call('HGET', prefix .. 'streams', qid) ~= ARGV[3] then return 0 end
redis.call('HDEL', prefix .. 'streams', qid)
if redis.call('EXISTS', prefix .. 'q:' .. qid) == 1 then
  local stored = redis.call('HGET', prefix .. 'boundaries', qid) or '0'
  if string.sub(stored, -1) ~= '${STREAMED}' then redis.call('HSET', prefix .. 'boundaries', qid, stored .. '${STREAMED}') end
end
local record = redis.call('HGET', prefix .. 'queues', qid)
local lifespan = record and tonumber(string.match(record, '^%d+|(%d+)|'))
if lifespan then redis.call('ZADD', prefix .. 'idle', 'XX', tonumber(redis.call('TIME')[1]) + lifespan, qid) end
return 1
`

/**
 * Removes the record of a pending poll that ended without returning events; the queue's lifespan counts from now. ARGV: prefix,
 * queue, number of that poll.
 */
export const CLEAR_PENDING_POLL = `
local prefix, qid = ARGV[1], ARGV[2]
if redis.call('HGET', prefix .. 'boundaries', qid) == 'pending:' .. ARGV[3] then
  redis.call('HDEL', prefix .. 'boundaries', qid)
  local record = redis.call('HGET', prefix .. 'queues', qid)
  local lifespan = record and tonumber(string.match(record, '^%d+|(%d+)|'))
  if lifespan then redis.call('ZADD', prefix .. 'idle', 'XX', tonumber(redis.call('TIME')[1]) + lifespan, qid) end
end
return 1
`
