import { MAX_BATCH } from '../partitions/changes.ts'
import { FIRST_HEARTBEAT, IDS_PER_OFFSET } from '../partitions/event-id.ts'
import { MAX_TOLD_ENDS } from '../queues/told.ts'
import { TAKEOVERS } from './keys.ts'

/**
 * Acknowledges and reads a queue. ARGV: prefix, queue, user, last event ID or '', lifespan grace in seconds,
 * holder to note or '', 1 to return the record, most events to return, 1 if Redis may have lost that event ID, number of the
 * poll that was held until now and ends with this or '', PUBLISH or SPUBLISH. Returns {status, …}:
 * {'gone', offset} · {'stale'} (an ID below what was acknowledged) · {'never'} (one that the queue never had) ·
 * {'replaced'} (one that is held and looks again, while a newer one is held, of which it hasn't heard) ·
 * {'ok', offset, record, told, number, id…}.
 *
 * Whoever may hold an older poll is told to end it, unless that is the holder itself: it ends that when it gets this answer.
 * One that doesn't wait ends any that is held, but for the one that it is the last look of.
 *
 * `number` grows from poll to poll: Redis' clock in microseconds, which costs neither memory nor a write. Should that be
 * set back, the older of two polls waits for its heartbeat beside the newer.
 *
 * An ID of the upper half of its offset's is a heartbeat's, and heartbeats are in no list. One may have been told only
 * while nothing waited, as the first of its offset or as the successor of what was acknowledged (`heartbeatIdOf`); so
 * acknowledging it can't drop an event. An ID beyond the committed offset may be right if Redis lost its last second: it
 * is about to be given it again, and drops it then.
 *
 * `told` is what told.ts reads. While nothing waits it is 'held:<number>' if a poll is, which is then answered with what the
 * first commit brings, and nobody writes down what that was: no more than a batch's offsets from the first on. Whoever ends
 * a poll takes back what it has noted itself: another may be held since. One that is held when another comes which doesn't
 * wait may just be answering, so it takes back its note itself when it ends.
 */
export const POLL = `
local prefix, qid, userId, lastId, grace, holder, wantsRecord, limit, mayBeLost, heldNumber, publish = unpack(ARGV)
local record = redis.call('HGET', prefix .. 'queues', qid)
local owner = userId .. '|'
local committed = redis.call('HGET', KEYS[1], 'offset') or '-1'
if not record or string.sub(record, 1, #owner) ~= owner then return {'gone', committed} end
local acked = tonumber(redis.call('HGET', prefix .. 'acked', qid) or '-1')
local previous = redis.call('HGET', prefix .. 'holders', qid) or ''
local stored = redis.call('HGET', prefix .. 'told', qid) or ''
if holder ~= '' and heldNumber ~= '' and string.sub(stored, 1, 5) == 'held:' and stored ~= 'held:' .. heldNumber then return {'replaced'} end
local list = prefix .. 'q:' .. qid
-- Not only what is acknowledged now: what is read again from the log after a lost second was acknowledged before.
local function headAfter(id)
  local head = redis.call('LINDEX', list, 0)
  while head and tonumber(head) <= id do
    redis.call('LPOP', list)
    head = redis.call('LINDEX', list, 0)
  end
  return head and tonumber(head)
end
if lastId ~= '' then
  local last = tonumber(lastId)
  if last < acked then return {'stale'} end
  if last > acked then
    local place = redis.call('LPOS', list, lastId)
    local offset = math.floor(last / ${IDS_PER_OFFSET})
    local index = last - offset * ${IDS_PER_OFFSET}
    if place then
      redis.call('LTRIM', list, place + 1, -1)
    elseif offset > tonumber(committed) then
      if mayBeLost ~= '1' then return {'never'} end
    else
      local head = headAfter(acked)
      if index < ${FIRST_HEARTBEAT} or (index > ${FIRST_HEARTBEAT} and last ~= acked + 1) or (head and head < last) then return {'never'} end
    end
    redis.call('HSET', prefix .. 'acked', qid, lastId)
    acked = last
  end
end
headAfter(acked)
local lifespan = tonumber(string.match(record, '^%d+|(%d+)|'))
local now = redis.call('TIME')
redis.call('ZADD', prefix .. 'idle', tonumber(now[1]) + lifespan + tonumber(grace), qid)
if holder ~= '' and holder ~= previous then redis.call('HSET', prefix .. 'holders', qid, holder) end
local ids = redis.call('LRANGE', list, 0, tonumber(limit) - 1)
local told = stored
local isHeld = string.sub(stored, 1, 4) == 'held'
local number = string.format('%d%06d', now[1], now[2])
local mayHoldOlder = previous ~= holder
if holder == '' then mayHoldOlder = isHeld and heldNumber == '' end
if mayHoldOlder and previous ~= '' then
  redis.call(publish, prefix .. '${TAKEOVERS}' .. previous, qid .. ' ' .. number)
end
if #ids == 0 then
  if holder ~= '' then
    told = 'held:' .. number
  elseif not isHeld or stored == 'held:' .. heldNumber then
    told = ''
  end
else
  local singly = string.match(told, '^%d+') or '0'
  if isHeld then
    singly = string.format('%.0f', (math.floor(tonumber(ids[1]) / ${IDS_PER_OFFSET}) + ${MAX_BATCH}) * ${IDS_PER_OFFSET})
  end
  local ends = {}
  for id in string.gmatch(told, '|(%d+)') do ends[#ends + 1] = id end
  if #ends < ${MAX_TOLD_ENDS} then
    local parts = {singly}
    for _, id in ipairs(ends) do
      if tonumber(id) > acked then parts[#parts + 1] = id end
    end
    if #ends == 0 or tonumber(ids[#ids]) > tonumber(ends[#ends]) then parts[#parts + 1] = ids[#ids] end
    told = table.concat(parts, '|')
  end
end
if told == '' and stored ~= '' then
  redis.call('HDEL', prefix .. 'told', qid)
elseif told ~= stored then
  redis.call('HSET', prefix .. 'told', qid, told)
end
local answer = {'ok', committed, wantsRecord == '1' and record or '', told, number}
for _, id in ipairs(ids) do answer[#answer + 1] = id end
return answer
`

/**
 * Notes that a held poll ended with nothing told; the queue's lifespan counts from now. ARGV: prefix, queue, number of that
 * poll.
 */
export const UNHOLD = `
local prefix, qid = ARGV[1], ARGV[2]
if redis.call('HGET', prefix .. 'told', qid) == 'held:' .. ARGV[3] then
  redis.call('HDEL', prefix .. 'told', qid)
  local record = redis.call('HGET', prefix .. 'queues', qid)
  local lifespan = record and tonumber(string.match(record, '^%d+|(%d+)|'))
  if lifespan then redis.call('ZADD', prefix .. 'idle', 'XX', tonumber(redis.call('TIME')[1]) + lifespan, qid) end
end
return 1
`
