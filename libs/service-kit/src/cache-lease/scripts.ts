/**
 * Scripts of the announcements that all replicas share. KEYS[1] is a hash: `server` (which Redis server counts),
 * `epoch`, `since` (when the epoch began) and the newest sequence number of each source. KEYS[2] is a hash of the
 * replicas that hold leases, with the time of their last renewal. KEYS[3] is a hash of what each has acknowledged.
 *
 * Another server, or one that was restarted, may have lost leases that are still in use, so it begins a new epoch.
 */
const PRELUDE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or 'unknown'
  if redis.call('HGET', KEYS[1], 'server') ~= server then
    redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
    redis.call('HSET', KEYS[1], 'server', server, 'epoch', server .. '-' .. now, 'since', now)
  end
  local epoch = redis.call('HGET', KEYS[1], 'epoch')
`

/**
 * ARGV: replica, then the sources. Renews the replica's lease; returns the epoch and the newest sequence number of
 * each source.
 */
const RENEW = `${PRELUDE}
  redis.call('HSET', KEYS[2], ARGV[1], now)
  local reply = { epoch }
  for i = 2, #ARGV do
    reply[i] = tonumber(redis.call('HGET', KEYS[1], 'seq:' .. ARGV[i]) or '0')
  end
  return reply
`

/**
 * ARGV: channel, source, payload, milliseconds after which a replica that doesn't renew is dropped. Publishes an
 * announcement with the next sequence number. Returns the epoch, its age, the number, and the replicas that have to
 * acknowledge it.
 */
const announceWith = (publish: string): string => `${PRELUDE}
  local seq = redis.call('HINCRBY', KEYS[1], 'seq:' .. ARGV[2], 1)
  local reply = { epoch, now - redis.call('HGET', KEYS[1], 'since'), seq }
  local members = redis.call('HGETALL', KEYS[2])
  for i = 1, #members, 2 do
    -- The clock was set back since.
    if tonumber(members[i + 1]) > now then redis.call('HSET', KEYS[2], members[i], now) end
    if now - tonumber(members[i + 1]) > tonumber(ARGV[4]) then
      redis.call('HDEL', KEYS[2], members[i])
      redis.call('HDEL', KEYS[3], members[i] .. ':' .. ARGV[2])
    else
      reply[#reply + 1] = members[i]
    end
  end
  redis.call('${publish}', ARGV[1], epoch .. ' ' .. ARGV[2] .. ' ' .. seq .. ' ' .. ARGV[3])
  return reply
`

/**
 * ARGV: channel, replica, epoch, source, sequence number. Records and publishes that the replica has applied
 * everything up to that number.
 */
const acknowledgeWith = (publish: string): string => `
  if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[3] then return 0 end
  local field = ARGV[2] .. ':' .. ARGV[4]
  if tonumber(redis.call('HGET', KEYS[3], field) or '0') < tonumber(ARGV[5]) then
    redis.call('HSET', KEYS[3], field, ARGV[5])
  end
  redis.call('${publish}', ARGV[1], ARGV[3] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5] .. ' ' .. ARGV[2])
  return 1
`

/**
 * ARGV: epoch, source, sequence number. The replicas that hold leases and haven't acknowledged it; false in another
 * epoch.
 */
const PENDING = `${PRELUDE}
  if epoch ~= ARGV[1] then return false end
  local reply = {}
  for _, replica in ipairs(redis.call('HKEYS', KEYS[2])) do
    local seq = redis.call('HGET', KEYS[3], replica .. ':' .. ARGV[2])
    if tonumber(seq or '0') < tonumber(ARGV[3]) then reply[#reply + 1] = replica end
  end
  return reply
`

/** The current epoch. */
const EPOCH = `${PRELUDE}
  return epoch
`

/** ARGV: replica, sources. Releases a lease. */
const LEAVE = `
  redis.call('HDEL', KEYS[2], ARGV[1])
  for i = 2, #ARGV do redis.call('HDEL', KEYS[3], ARGV[1] .. ':' .. ARGV[i]) end
  return 1
`

/** All scripts; `publish` is the command that publishes on channels of this Redis. */
export const scriptsWith = (publish: 'PUBLISH' | 'SPUBLISH'): Readonly<Record<string, string>> => ({
  Renew: RENEW,
  Announce: announceWith(publish),
  Acknowledge: acknowledgeWith(publish),
  Pending: PENDING,
  Epoch: EPOCH,
  Leave: LEAVE,
})
