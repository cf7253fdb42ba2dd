import type { Redis } from '@tms/service-kit'
import type { LastSeen, PresenceStore } from '../kernel/presence/presence-store.ts'
import { defaultHistorySeconds } from './presence.rules.ts'
import { PRESENCE } from './presence-script.ts'

export function createPresenceStore(redis: Redis, namespace: string): PresenceStore {
  redis.defineCommand('tmsPresence', { lua: PRESENCE, numberOfKeys: 2 })
  const call = (...args: (string | number)[]): Promise<[number, ...string[]]> =>
    (redis as unknown as { tmsPresence(...all: typeof args): Promise<[number, ...string[]]> }).tmsPresence(
      ...args,
    )
  // An organization's keys share a hash tag, so that in Redis Cluster the script runs on one node.
  const keyOf = (realmId: number, name: string): string =>
    `{${namespace === '' ? '' : `${namespace}:`}presence:${realmId}}:${name}`

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
    note: async (realmId, at, { user, since, historySeconds = defaultHistorySeconds }) => {
      const [cameOnline, lastUpdateId, ...fields] = await call(
        keyOf(realmId, 'seen'),
        keyOf(realmId, 'updates'),
        at.getTime(),
        user?.id ?? '',
        user?.note ?? '',
        since ?? '',
        historySeconds,
      )
      const lastSeen: LastSeen[] = []
      for (let i = 0; i < fields.length; i += 3)
        lastSeen.push(parseLastSeen(fields[i], fields[i + 1], fields[i + 2]))
      return { cameOnline: cameOnline === 1, lastUpdateId: Number(lastUpdateId), lastSeen }
    },
    find: async (realmId, userId) => (await findAll(realmId, [userId]))[0] ?? null,
    findAll,
    forget: (realmId) => redis.unlink(keyOf(realmId, 'seen'), keyOf(realmId, 'updates')),
  }
}

function parseLastSeen(userId = '', active = '', connected = ''): LastSeen {
  return {
    userId: Number(userId),
    activeAt: active === '' ? null : Number(active),
    connectedAt: Number(connected),
  }
}
