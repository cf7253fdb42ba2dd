import { connectRedis, createLog, type Redis } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

/** Lets time pass since anyone was seen, or told an update: what the service keeps is made so much older. */
export async function letPresenceAge({ servers, system }: TestSystem, seconds: number): Promise<void> {
  const prefix = system.namespace === '' ? '' : `${system.namespace}:`
  const redis = connectRedis(servers.redis.url, createLog('test', 'silent'))
  try {
    await new Promise<void>((resolve) => {
      redis.once('ready', () => resolve())
    })
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
    await redis.quit()
  }
}

/** Each master of a cluster knows its own. */
async function keysIn(redis: Redis, pattern: string): Promise<string[]> {
  const masters = 'nodes' in redis ? redis.nodes('master') : [redis]
  return (await Promise.all(masters.map((master) => master.keys(pattern)))).flat()
}
