import type { Redis } from '@tms/service-kit'
import type { SessionOwner, SessionStore, StoredSession } from '../kernel/sessions/session-store.ts'

/** Two weeks from signing in, however often it is used. */
export const SESSION_SECONDS = 1_209_600
/** Sessions of one account. More means that something signs in by itself, and would fill Redis. */
const MAX_SESSIONS = 100

/** Replaces a session's record only if there is one: it may have ended meanwhile. */
const TOUCH = `
if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then redis.call('hset', KEYS[1], ARGV[1], ARGV[2]) end
return 0`

/**
 * A hash for each account: its sessions by their hashes. A set for each organization names the accounts. These keys
 * share a hash tag, so that in Redis Cluster they are on one node.
 */
export function createSessionStore(redis: Redis, namespace: string): SessionStore {
  redis.defineCommand('tmsTouchSession', { lua: TOUCH, numberOfKeys: 1 })
  const keyOf = (realmId: number, name: string | number): string =>
    `{${namespace === '' ? '' : `${namespace}:`}sessions:${realmId}}:${name}`
  const sessionsOf = ({ realmId, userId }: SessionOwner): string => keyOf(realmId, userId)

  /** Also those that have expired, the newest first. */
  const listAll = async (owner: SessionOwner): Promise<StoredSession[]> =>
    Object.values(await redis.hgetall(sessionsOf(owner)))
      .map((text) => JSON.parse(text) as StoredSession)
      .sort((one, other) => other.beganAt - one.beganAt)
  const list = async (owner: SessionOwner, now: Date): Promise<StoredSession[]> =>
    (await listAll(owner)).filter((session) => isCurrent(session, now))

  const remove = async (owner: SessionOwner, idHashes: readonly string[]): Promise<void> => {
    if (idHashes.length > 0) await redis.hdel(sessionsOf(owner), ...idHashes)
  }

  return {
    add: async (owner, session) => {
      const key = sessionsOf(owner)
      const accounts = keyOf(owner.realmId, 'accounts')
      await redis.sadd(accounts, owner.userId)
      await redis.hset(key, session.idHash, JSON.stringify(session))
      await redis.expire(key, SESSION_SECONDS)
      await redis.expire(accounts, SESSION_SECONDS)
      const now = new Date(session.beganAt * 1_000)
      // Of one reading: a session that another request adds afterwards is none of the surplus.
      const surplus = (await listAll(owner)).filter((one, nth) => nth >= MAX_SESSIONS || !isCurrent(one, now))
      await remove(
        owner,
        surplus.map(({ idHash }) => idHash).filter((idHash) => idHash !== session.idHash),
      )
    },
    find: async (owner, idHash, now) => {
      const text = await redis.hget(sessionsOf(owner), idHash)
      const session = text === null ? null : (JSON.parse(text) as StoredSession)
      return session && isCurrent(session, now) ? session : null
    },
    list,
    touch: async (owner, session) => {
      const script = redis as unknown as { tmsTouchSession(...all: string[]): Promise<number> }
      await script.tmsTouchSession(sessionsOf(owner), session.idHash, JSON.stringify(session))
    },
    remove,
    removeAll: async (owner) => {
      await redis.unlink(sessionsOf(owner))
    },
    forget: async (realmId) => {
      const accounts = keyOf(realmId, 'accounts')
      const userIds = await redis.smembers(accounts)
      return redis.unlink(accounts, ...userIds.map((userId) => keyOf(realmId, userId)))
    },
  }
}

const isCurrent = ({ beganAt }: StoredSession, now: Date): boolean =>
  beganAt + SESSION_SECONDS > now.getTime() / 1_000
