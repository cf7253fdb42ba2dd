import type { Redis } from '@tms/service-kit'
import type { LastSeen } from './presence.rules.ts'
import { PRESENCE } from './presence-script.ts'

/** A client's status, or that the user starts or stops showing presence. */
type Note = 'active' | 'idle' | 'shown' | 'hidden'

export interface PresenceReading {
  /** Whether the user was absent, or not active for a while. */
  readonly cameOnline: boolean
  /** ID of the latest update in the organization; -1 for none. */
  readonly lastUpdateId: number
  readonly lastSeen: readonly LastSeen[]
}

/** Presence, stored in Redis alone: lost data returns with the next ping. Rejects if Redis is down. */
export interface PresenceStore {
  /**
   * Records a note, if any, and reads the users seen after the update `since`; none if that is null. One round trip,
   * whose cost grows with the users read.
   */
  note(
    realmId: number,
    at: Date,
    request: { readonly user: { id: number; note: Note } | null; readonly since: number | null },
  ): Promise<PresenceReading>
  /** Null if the user was not seen recently. */
  find(realmId: number, userId: number): Promise<LastSeen | null>
}

export function createPresenceStore(redis: Redis, namespace: string): PresenceStore {
  redis.defineCommand('tmsPresence', { lua: PRESENCE, numberOfKeys: 2 })
  const call = (...args: (string | number)[]): Promise<[number, ...string[]]> =>
    (redis as unknown as { tmsPresence(...all: typeof args): Promise<[number, ...string[]]> }).tmsPresence(
      ...args,
    )
  // An organization's keys share a hash tag, so that in Redis Cluster the script runs on one node.
  const keyOf = (realmId: number, name: string): string =>
    `{${namespace === '' ? '' : `${namespace}:`}presence:${realmId}}:${name}`

  return {
    note: async (realmId, at, { user, since }) => {
      const [cameOnline, lastUpdateId, ...fields] = await call(
        keyOf(realmId, 'seen'),
        keyOf(realmId, 'updates'),
        at.getTime(),
        user?.id ?? '',
        user?.note ?? '',
        since ?? '',
      )
      const lastSeen: LastSeen[] = []
      for (let i = 0; i < fields.length; i += 3)
        lastSeen.push(parseLastSeen(fields[i], fields[i + 1], fields[i + 2]))
      return { cameOnline: cameOnline === 1, lastUpdateId: Number(lastUpdateId), lastSeen }
    },
    find: async (realmId, userId) => {
      const times = await redis.hget(keyOf(realmId, 'seen'), String(userId))
      if (times === null) return null
      const [active, connected] = times.split('|')
      return parseLastSeen(String(userId), active, connected)
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
