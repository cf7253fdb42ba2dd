import { keptSeconds } from './presence.rules.ts'

/**
 * Notes presence and reads it, as one. KEYS: `seen`, a hash of `active|connected|hidden` by user, in seconds (`active`
 * is empty for who was never active, `hidden` is `h` for who doesn't show presence), and `updates`, which orders users
 * by the ID of their latest update. An update's ID is the time in milliseconds, or one more than the latest: IDs go on
 * growing even past a Redis that lost its data.
 *
 * ARGV: now in milliseconds, user or '', what to note, `since` or ''. To note: `active` and `idle` are a client's word,
 * kept once the time noted is old enough; it isn't taken right after `hidden`, since it may have been on its way before.
 * `shown` makes the user active now; `hidden` leaves one connection that long ago that it reads as offline; '' is
 * nothing. `since` is the update after which others are wanted, none when empty.
 * Returns {whether the user came online, ID of the latest update, user, active, connected, …}.
 */
export const PRESENCE = `
local ADVANCE_SECONDS = 55
local ONLINE_SECONDS = 130
local HIDDEN_SECONDS = 320
local LATE_SECONDS = 10
local KEPT_SECONDS = ${keptSeconds}
local CHUNK = 1000

local seen, updates = KEYS[1], KEYS[2]
local now_ms, user, note, since = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local now = math.floor(now_ms / 1000)
local oldest = now_ms - KEPT_SECONDS * 1000

local function parse(text)
  local active, connected, hidden = string.match(text, '^(%d*)|(%d+)|(h?)$')
  return tonumber(active), tonumber(connected), hidden == 'h'
end
local function text_of(number) return number and string.format('%.0f', number) or '' end

local latest = tonumber(redis.call('ZREVRANGE', updates, 0, 0, 'WITHSCORES')[2] or '-1')
local came_online = 0

local function keep(active, connected, hidden)
  latest = math.max(latest + 1, now_ms)
  redis.call('HSET', seen, user, text_of(active) .. '|' .. text_of(connected) .. '|' .. hidden)
  redis.call('ZADD', updates, text_of(latest), user)
  local gone = redis.call('ZRANGEBYSCORE', updates, '-inf', text_of(oldest), 'LIMIT', 0, CHUNK)
  if #gone > 0 then
    redis.call('HDEL', seen, unpack(gone))
    redis.call('ZREM', updates, unpack(gone))
  end
  redis.call('EXPIRE', seen, KEPT_SECONDS)
  redis.call('EXPIRE', updates, KEPT_SECONDS)
end

local function take_word(is_active)
  local kept = redis.call('HGET', seen, user)
  local active, connected, hidden
  if kept then active, connected, hidden = parse(kept) end
  if hidden and now < connected + HIDDEN_SECONDS + LATE_SECONDS then return end
  if not kept or (is_active and (not active or now - active > ONLINE_SECONDS)) then came_online = 1 end
  local new_active, new_connected = active, connected
  if is_active and (not active or now - active > ADVANCE_SECONDS) then new_active = now end
  if not connected or now - connected > ADVANCE_SECONDS then new_connected = now end
  if new_active and new_active > new_connected then new_connected = new_active end
  if new_active ~= active or new_connected ~= connected then keep(new_active, new_connected, '') end
end

if note == 'hidden' then keep(nil, now - HIDDEN_SECONDS, 'h')
elseif note == 'shown' then keep(now, now, '')
elseif note ~= '' then take_word(note == 'active') end

local answer = {came_online, text_of(latest)}
if since ~= '' then
  local users = redis.call('ZRANGEBYSCORE', updates, '(' .. text_of(math.max(tonumber(since), oldest)), '+inf')
  for first = 1, #users, CHUNK do
    local last = math.min(first + CHUNK - 1, #users)
    local kept = redis.call('HMGET', seen, unpack(users, first, last))
    for i = first, last do
      local times = kept[i - first + 1]
      if times then
        local active, connected = parse(times)
        answer[#answer + 1] = users[i]
        answer[#answer + 1] = text_of(active)
        answer[#answer + 1] = text_of(connected)
      end
    end
  end
end
return answer
`
