import { retentionSeconds } from './presence.rules.ts'

/**
 * Records presence and reads it, atomically. KEYS: `seen`, a hash of `active|connected|hidden` by user, in seconds
 * (`active` is empty if the user was never active, `hidden` is `h` if the user hides presence), and `updates`, which
 * orders users by the ID of their latest update. An update's ID is the time in milliseconds, or the latest ID plus
 * one, so IDs keep growing even after Redis loses its data.
 *
 * ARGV: now in milliseconds, user or '', note, `since` or '', seconds of history. Notes: `active` and `idle` come from clients and are
 * stored if the stored time is old enough; right after `hidden` they are ignored, since they may have been sent
 * before it. `shown` makes the user active now; `hidden` stores a connection so old that it reads as offline; ''
 * records nothing. Users updated after `since` are returned, none if it is empty; from the beginning, only those of the
 * history's length. Returns {whether the user came online, ID of the latest update, generation, then for each user: ID, active,
 * connected, ID of the update}.
 *
 * The generation is in the field '' of `seen`. Another one means that Redis has lost its data, so what a process keeps of it isn't true any more.
 */
export const PRESENCE = `
local ADVANCE_SECONDS = 55
local ONLINE_SECONDS = 130
local HIDDEN_SECONDS = 320
local LATE_SECONDS = 10
local RETENTION_SECONDS = ${retentionSeconds}
local CHUNK = 1000

local seen, updates = KEYS[1], KEYS[2]
local now_ms, user, note, since, history = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local now = math.floor(now_ms / 1000)
local oldest = now_ms - RETENTION_SECONDS * 1000

local function parse(text)
  local active, connected, hidden = string.match(text, '^(%d*)|(%d+)|(h?)$')
  return tonumber(active), tonumber(connected), hidden == 'h'
end
local function text_of(number) return number and string.format('%.0f', number) or '' end

local latest = tonumber(redis.call('ZREVRANGE', updates, 0, 0, 'WITHSCORES')[2] or '-1')
local generation = redis.call('HGET', seen, '') or ''
local came_online = 0

local function store(active, connected, hidden)
  latest = math.max(latest + 1, now_ms)
  if generation == '' then
    generation = text_of(now_ms)
    redis.call('HSET', seen, '', generation)
  end
  redis.call('HSET', seen, user, text_of(active) .. '|' .. text_of(connected) .. '|' .. hidden)
  redis.call('ZADD', updates, text_of(latest), user)
  local expired = redis.call('ZRANGEBYSCORE', updates, '-inf', text_of(oldest), 'LIMIT', 0, CHUNK)
  if #expired > 0 then
    redis.call('HDEL', seen, unpack(expired))
    redis.call('ZREM', updates, unpack(expired))
  end
  redis.call('EXPIRE', seen, RETENTION_SECONDS)
  redis.call('EXPIRE', updates, RETENTION_SECONDS)
end

local function apply_status(is_active)
  local stored = redis.call('HGET', seen, user)
  local active, connected, hidden
  if stored then active, connected, hidden = parse(stored) end
  if hidden and now < connected + HIDDEN_SECONDS + LATE_SECONDS then return end
  if not stored or (is_active and (not active or now - active > ONLINE_SECONDS)) then came_online = 1 end
  local new_active, new_connected = active, connected
  if is_active and (not active or now - active > ADVANCE_SECONDS) then new_active = now end
  if not connected or now - connected > ADVANCE_SECONDS then new_connected = now end
  if new_active and new_active > new_connected then new_connected = new_active end
  if new_active ~= active or new_connected ~= connected then store(new_active, new_connected, '') end
end

if note == 'hidden' then store(nil, now - HIDDEN_SECONDS, 'h')
elseif note == 'shown' then store(now, now, '')
elseif note ~= '' then apply_status(note == 'active') end

local answer = {came_online, text_of(latest), generation}
if since ~= '' then
  local from = tonumber(since)
  if from <= 0 then from = now_ms - history * 1000 end
  local users, ids = {}, {}
  local found = redis.call('ZRANGEBYSCORE', updates, '(' .. text_of(math.max(from, oldest)), '+inf', 'WITHSCORES')
  for i = 1, #found, 2 do
    users[#users + 1] = found[i]
    ids[#ids + 1] = found[i + 1]
  end
  for first = 1, #users, CHUNK do
    local last = math.min(first + CHUNK - 1, #users)
    local stored = redis.call('HMGET', seen, unpack(users, first, last))
    for i = first, last do
      local times = stored[i - first + 1]
      if times then
        local active, connected = parse(times)
        answer[#answer + 1] = users[i]
        answer[#answer + 1] = text_of(active)
        answer[#answer + 1] = text_of(connected)
        answer[#answer + 1] = ids[i]
      end
    end
  end
end
return answer
`
