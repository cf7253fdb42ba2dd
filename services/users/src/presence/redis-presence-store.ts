import type { Redis } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { PresenceReading, PresenceStore } from '../kernel/presence/presence-store.ts'
import { type LastSeen, type SeenUser, SeenUsers } from '../kernel/presence/seen-users.ts'
import { defaultHistorySeconds } from './presence.rules.ts'
import { PRESENCE } from './presence-script.ts'

/** Users that a process keeps, of all organizations: some 200 bytes each. */
const MAX_KEPT_USERS = 500_000

export function createPresenceStore(redis: Redis, namespace: string): PresenceStore {
  redis.defineCommand('tmsPresence', { lua: PRESENCE, numberOfKeys: 2 })
  const call = (...args: (string | number)[]): Promise<[number, ...string[]]> =>
    (redis as unknown as { tmsPresence(...all: typeof args): Promise<[number, ...string[]]> }).tmsPresence(
      ...args,
    )
  // An organization's keys share a hash tag, so that in Redis Cluster the script runs on one node.
  const keyOf = (realmId: number, name: string): string =>
    `{${namespace === '' ? '' : `${namespace}:`}presence:${realmId}}:${name}`

  const note = async (
    realmId: number,
    at: Date,
    request: Pick<Parameters<PresenceStore['note']>[2], 'user' | 'since'> & { historySeconds?: number },
  ): Promise<PresenceReading & { generation: string }> => {
    const { user, since, historySeconds = defaultHistorySeconds } = request
    const [cameOnline, lastUpdateId, generation = '', ...fields] = await call(
      keyOf(realmId, 'seen'),
      keyOf(realmId, 'updates'),
      at.getTime(),
      user?.id ?? '',
      user?.note ?? '',
      since ?? '',
      historySeconds,
    )
    const lastSeen: SeenUser[] = []
    for (let i = 0; i < fields.length; i += 4) {
      const one = parseLastSeen(fields[i], fields[i + 1], fields[i + 2])
      lastSeen.push({ ...one, updateId: Number(fields[i + 3]) })
    }
    return {
      cameOnline: cameOnline === 1,
      lastUpdateId: Number(lastUpdateId),
      generation,
      lastSeen,
    }
  }
  const kept = new LRUCache<number, SeenUsers>({
    maxSize: MAX_KEPT_USERS,
    sizeCalculation: ({ users }) => users.size + 1,
  })

  const findAll = async (realmId: number, userIds: readonly number[]): Promise<LastSeen[]> => {
    if (userIds.length === 0) return []
    const found = await redis.hmget(keyOf(realmId, 'seen'), ...userIds.map(String))
    return found.flatMap((times, index) => {
      if (times === null) return []
      const [active, connected] = times.split('|')
      return parseLastSeen(String(userIds[index]), active, connected)
    })
  }

  return {
    note: async (realmId, at, { user, since }) => {
      const { cameOnline, lastUpdateId, lastSeen } = await note(realmId, at, { user, since })
      return { cameOnline, lastUpdateId, lastSeen }
    },
    noteAndReadAll: async (realmId, at, { user, historySeconds }) => {
      // Longer histories are rare, and may be of very many users.
      const isKept = historySeconds <= defaultHistorySeconds
      const known = isKept ? kept.get(realmId) : undefined
      const reading = await note(realmId, at, { user, since: known?.lastUpdateId ?? -1, historySeconds })
      const { cameOnline } = reading
      if (known?.generation === reading.generation) {
        known.apply(reading.lastSeen, reading.lastUpdateId)
        known.dropUpTo(at.getTime() - defaultHistorySeconds * 1000)
        return { cameOnline, seen: known }
      }
      // Redis has lost what was read from it before.
      const all =
        known || (isKept && historySeconds < defaultHistorySeconds)
          ? await note(realmId, at, { user: null, since: -1 })
          : reading
      const seen = new SeenUsers(all.lastUpdateId, all.generation)
      seen.apply(all.lastSeen, all.lastUpdateId)
      if (isKept) kept.set(realmId, seen)
      return { cameOnline, seen }
    },
    find: async (realmId, userId) => (await findAll(realmId, [userId]))[0] ?? null,
    findAll,
    forget: (realmId) => {
      kept.delete(realmId)
      return redis.unlink(keyOf(realmId, 'seen'), keyOf(realmId, 'updates'))
    },
  }
}

function parseLastSeen(userId = '', active = '', connected = ''): LastSeen {
  return {
    userId: Number(userId),
    activeAt: active === '' ? null : Number(active),
    connectedAt: Number(connected),
  }
}
