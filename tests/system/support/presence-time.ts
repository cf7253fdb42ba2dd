import { closeRedis, mastersOf, type Redis } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import { openTestRedis } from './test-redis.ts'

/** Simulates the passing of time for presence: makes the service's data older. */
export async function letPresenceAge({ servers, system }: TestSystem, seconds: number): Promise<void> {
  const prefix = system.namespace === '' ? '' : `${system.namespace}:`
  const redis = await openTestRedis(servers)
  try {
    for (const key of await keysIn(redis, `{${prefix}presence:*:seen`)) {
      for (const [user, times] of Object.entries(await redis.hgetall(key))) {
        const older = times.replace(/\d+/g, (time) => String(Number(time) - seconds))
        await redis.hset(key, user, older)
      }
    }
    for (const key of await keysIn(redis, `{${prefix}presence:*:updates`)) {
      const updates = await redis.zrange(key, '0', '-1', 'WITHSCORES')
      for (let i = 0; i < updates.length; i += 2) {
        await redis.zadd(key, Number(updates[i + 1]) - seconds * 1000, updates[i] ?? '')
      }
    }
  } finally {
    await closeRedis(redis)
  }
}

/** Each master of a cluster has its own keys. */
async function keysIn(redis: Redis, pattern: string): Promise<string[]> {
  return (await Promise.all(mastersOf(redis).map((master) => master.keys(pattern)))).flat()
}
