import type { Redis } from '@tms/service-kit'
import type { SessionOwner } from '../kernel/sessions/session-store.ts'
import { SESSION_SECONDS } from '../sessions/redis-session-store.ts'

/** Which accounts have sessions of somebody at a provider, who ends them by a name that no account has. */
export interface LogOutIndex {
  /** Throws if Redis doesn't answer, also below. */
  note(person: string, owner: SessionOwner): Promise<void>
  /** Some may have no such session any more. */
  list(person: string): Promise<SessionOwner[]>
}

export function createLogOutIndex(redis: Redis, namespace: string): LogOutIndex {
  const keyOf = (person: string) => `${namespace}:signon:person:${person}`
  return {
    note: async (person, { realmId, userId }) => {
      await redis.sadd(keyOf(person), `${realmId} ${userId}`)
      await redis.expire(keyOf(person), SESSION_SECONDS)
    },
    list: async (person) =>
      (await redis.smembers(keyOf(person))).map((text) => {
        const [realmId = 0, userId = 0] = text.split(' ').map(Number)
        return { realmId, userId }
      }),
  }
}
