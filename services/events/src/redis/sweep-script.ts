import { IDS_PER_OFFSET } from '../kernel/event-id.ts'

/** Log offsets whose payloads are dropped in one run: this takes Redis a few milliseconds. */
const WINDOW = 2_500
/** Queues whose first event is older than this many log entries are behind: only payloads that they refer to are kept. */
const BEHIND = 20_000
/** Maximum number of event IDs of queues that are behind to read in one run. If there are more, the whole window is kept. */
const MAX_READS = 10_000
/** Cost of one step of a binary search in a list, in reads of an ID. */
const SEEK_READS = 10
const IDS_AT_ONCE = 50

/**
 * Drops payloads that no queue refers to, and finds the queues to close: unpolled for their lifespan, grown too long, or
 * deleted. ARGV: prefix, longest backlog. Returns {1 if there are more payloads below all queues, 1 if there may be more between
 * queues, queue…}.
 *
 * Each run is limited, and the next one continues. Below the first event of all queues (up to `trimmed`) it drops all payloads.
 * From there to where queues count as behind it drops unreferenced ones (up to `thinned`), again and again from the start,
 * because a queue whose client is gone would keep the payloads of all other queues while it lives. A commit that refers to a
 * payload writes it again even if it was dropped before, so a payload without references is never missed.
 */
export const SWEEP = `
local prefix = ARGV[1]
local now = redis.call('TIME')[1]
local toClose = redis.call('ZRANGEBYSCORE', prefix .. 'idle', '-inf', now)
local committed = tonumber(redis.call('HGET', KEYS[1], 'offset') or '-1')
local lowest, behind, lagging = committed + 1, committed - ${BEHIND}, {}
for _, qid in ipairs(redis.call('HKEYS', prefix .. 'queues')) do
  local list = prefix .. 'q:' .. qid
  local head = redis.call('LINDEX', list, 0)
  if head then
    local offset = math.floor(tonumber(head) / ${IDS_PER_OFFSET})
    if offset < lowest then lowest = offset end
    if offset < behind then lagging[#lagging + 1] = {list, offset} end
    if redis.call('LLEN', list) > tonumber(ARGV[2]) then toClose[#toClose + 1] = qid end
  end
end
local function drop(from, till, needed)
  local names = {}
  for offset = from, till - 1 do
    if not needed[offset] then names[#names + 1] = string.format('%.0f', offset) end
  end
  if #names > 0 then redis.call('HDEL', prefix .. 'payloads', unpack(names)) end
end
local function metaOffset(name) return tonumber(redis.call('HGET', KEYS[1], name) or '0') end
local function setMetaOffset(name, offset) redis.call('HSET', KEYS[1], name, string.format('%.0f', offset)) end

local trimmed = metaOffset('trimmed')
local trimmedTo = math.min(trimmed + ${WINDOW}, lowest)
drop(trimmed, trimmedTo, {})
if trimmedTo ~= trimmed then setMetaOffset('trimmed', trimmedTo) end
local answer = {trimmedTo < lowest and 1 or 0, 0}

if #lagging > 0 then
  local from = metaOffset('thinned')
  if from < lowest or from >= behind then from = lowest end
  local till = math.min(from + ${WINDOW}, behind)
  local needed, reads = {}, 0
  for _, queue in ipairs(lagging) do
    local list = queue[1]
    local at = 0
    if queue[2] < from then
      local above = redis.call('LLEN', list)
      while at < above do
        local middle = math.floor((at + above) / 2)
        if tonumber(redis.call('LINDEX', list, middle)) < from * ${IDS_PER_OFFSET} then at = middle + 1 else above = middle end
        reads = reads + ${SEEK_READS}
      end
    end
    local isDone = queue[2] >= till
    while not isDone and reads <= ${MAX_READS} do
      local ids = redis.call('LRANGE', list, at, at + ${IDS_AT_ONCE - 1})
      for _, id in ipairs(ids) do
        local offset = math.floor(tonumber(id) / ${IDS_PER_OFFSET})
        if offset >= till then isDone = true break end
        needed[offset] = true
      end
      at = at + #ids
      reads = reads + #ids
      if #ids < ${IDS_AT_ONCE} then isDone = true end
    end
    if reads > ${MAX_READS} then break end
  end
  setMetaOffset('thinned', till)
  -- If most of the window is referred to, continuing at once would cost more than it frees.
  if reads <= ${MAX_READS} then
    drop(from, till, needed)
    answer[2] = till < behind and 1 or 0
  end
end
for _, qid in ipairs(toClose) do answer[#answer + 1] = qid end
return answer
`
