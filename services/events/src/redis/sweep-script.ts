import { IDS_PER_OFFSET } from '../partitions/event-id.ts'

/** Log offsets of which payloads are dropped in one run: what keeps Redis for a few milliseconds. */
const WINDOW = 2_500
/** Queues whose first event is older than this many log entries are behind: only what they refer to is kept for them. */
const BEHIND = 20_000
/** Event IDs of queues that are behind looked at in one run; where there are more, all of a window is kept. */
const MAX_LOOKS = 10_000
/** Finding a place in a list, compared with reading an ID there. */
const SEEK_LOOKS = 10
const IDS_AT_ONCE = 50

/**
 * Finds what a partition need not keep. ARGV: prefix, longest backlog. Drops payloads that no queue refers to and returns
 * {1 if there are more below all queues, 1 if there may be more between queues, queue…}: the queues are those that nobody has
 * polled for their lifespan or that have grown too long, and those that were deleted.
 *
 * One run does so much and no more, and the next goes on: below the first event of all queues (`trimmed`), where all is
 * dropped, and from there to where queues count as behind (`thinned`), round and round, since a queue whose client is gone
 * would keep the payloads of all others for as long as it lives. A commit that refers to a payload brings it, also
 * if it was dropped before; so whatever no queue refers to at this moment isn't missed, whoever owns the partition.
 */
export const SWEEP = `
local prefix = ARGV[1]
local now = redis.call('TIME')[1]
local doomed = redis.call('ZRANGEBYSCORE', prefix .. 'idle', '-inf', now)
local committed = tonumber(redis.call('HGET', KEYS[1], 'offset') or '-1')
local lowest, behind, lagging = committed + 1, committed - ${BEHIND}, {}
for _, qid in ipairs(redis.call('HKEYS', prefix .. 'queues')) do
  local list = prefix .. 'q:' .. qid
  local head = redis.call('LINDEX', list, 0)
  if head then
    local offset = math.floor(tonumber(head) / ${IDS_PER_OFFSET})
    if offset < lowest then lowest = offset end
    if offset < behind then lagging[#lagging + 1] = {list, offset} end
    if redis.call('LLEN', list) > tonumber(ARGV[2]) then doomed[#doomed + 1] = qid end
  end
end
local function drop(from, till, needed)
  local names = {}
  for offset = from, till - 1 do
    if not needed[offset] then names[#names + 1] = string.format('%.0f', offset) end
  end
  if #names > 0 then redis.call('HDEL', prefix .. 'payloads', unpack(names)) end
end
local function place(name) return tonumber(redis.call('HGET', KEYS[1], name) or '0') end
local function note(name, offset) redis.call('HSET', KEYS[1], name, string.format('%.0f', offset)) end

local trimmed = place('trimmed')
local trimmedTo = math.min(trimmed + ${WINDOW}, lowest)
drop(trimmed, trimmedTo, {})
if trimmedTo ~= trimmed then note('trimmed', trimmedTo) end
local answer = {trimmedTo < lowest and 1 or 0, 0}

if #lagging > 0 then
  local from = place('thinned')
  if from < lowest or from >= behind then from = lowest end
  local till = math.min(from + ${WINDOW}, behind)
  local needed, looks = {}, 0
  for _, queue in ipairs(lagging) do
    local list = queue[1]
    local at = 0
    if queue[2] < from then
      local above = redis.call('LLEN', list)
      while at < above do
        local middle = math.floor((at + above) / 2)
        if tonumber(redis.call('LINDEX', list, middle)) < from * ${IDS_PER_OFFSET} then at = middle + 1 else above = middle end
        looks = looks + ${SEEK_LOOKS}
      end
    end
    local isDone = queue[2] >= till
    while not isDone and looks <= ${MAX_LOOKS} do
      local ids = redis.call('LRANGE', list, at, at + ${IDS_AT_ONCE - 1})
      for _, id in ipairs(ids) do
        local offset = math.floor(tonumber(id) / ${IDS_PER_OFFSET})
        if offset >= till then isDone = true break end
        needed[offset] = true
      end
      at = at + #ids
      looks = looks + #ids
      if #ids < ${IDS_AT_ONCE} then isDone = true end
    end
    if looks > ${MAX_LOOKS} then break end
  end
  note('thinned', till)
  -- Where most is referred to, going on at once would cost more than it frees.
  if looks <= ${MAX_LOOKS} then
    drop(from, till, needed)
    answer[2] = till < behind and 1 or 0
  end
end
for _, qid in ipairs(doomed) do answer[#answer + 1] = qid end
return answer
`
