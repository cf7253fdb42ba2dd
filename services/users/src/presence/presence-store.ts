import type { Redis } from '@tms/service-kit'
import type { Seen } from './presence.rules.ts'
import { PRESENCE } from './presence-script.ts'

/** What there is to note of someone: a client's word, or that they begin or end to show presence. */
type Note = 'active' | 'idle' | 'shown' | 'hidden'

export interface PresenceReading {
  /** Whether the user was not here before, or not active for a while. */
  readonly cameOnline: boolean
  /** ID of the latest update in the organization; -1 for none. */
  readonly lastUpdateId: number
  readonly seen: readonly Seen[]
}

/** Who is here, kept in Redis alone: what is lost with it comes back within a ping. Rejects while Redis is away. */
export interface PresenceStore {
  /**
   * Notes something of a user, if anything, and reads who was seen after the update `since`; nobody when that is
   * null. One round trip, whose cost grows with those who are read.
   */
  note(
    realmId: number,
    at: Date,
    asked: { readonly user: { id: number; note: Note } | null; readonly since: number | null },
  ): Promise<PresenceReading>
  /** When someone was seen; null if not in a long time. */
  find(realmId: number, userId: number): Promise<Seen | null>
}

export function createPresenceStore(redis: Redis, namespace: string): PresenceStore {
  redis.defineCommand('tmsPresence', { lua: PRESENCE, numberOfKeys: 2 })
  const call = (...args: (string | number)[]): Promise<[number, ...string[]]> =>
    (redis as unknown as { tmsPresence(...all: typeof args): Promise<[number, ...string[]]> }).tmsPresence(
      ...args,
    )
  // One organization's keys share a hash tag, so that in Redis Cluster the script runs on one node.
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
      const seen: Seen[] = []
      for (let i = 0; i < fields.length; i += 3) seen.push(seenOf(fields[i], fields[i + 1], fields[i + 2]))
      return { cameOnline: cameOnline === 1, lastUpdateId: Number(lastUpdateId), seen }
    },
    find: async (realmId, userId) => {
      const times = await redis.hget(keyOf(realmId, 'seen'), String(userId))
      if (times === null) return null
      const [active, connected] = times.split('|')
      return seenOf(String(userId), active, connected)
    },
  }
}

function seenOf(userId = '', active = '', connected = ''): Seen {
  return {
    userId: Number(userId),
    activeAt: active === '' ? null : Number(active),
    connectedAt: Number(connected),
  }
}
