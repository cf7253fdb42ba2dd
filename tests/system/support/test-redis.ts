import type { Servers } from '@tms/local-system'
import { closeRedis, connectRedis, createLog, mastersOf, type Redis, untilRedisReady } from '@tms/service-kit'

/** Redis runs already, so this is the time to connect on a busy machine. */
const READY_MS = 30_000

/** A connection to a system's Redis, to inspect and change it. Rejects if Redis does not respond. */
export async function openTestRedis({ redis: { url } }: Pick<Servers, 'redis'>): Promise<Redis> {
  const redis = connectRedis(url, createLog('test', 'silent'))
  try {
    await untilRedisReady(redis, READY_MS)
    return redis
  } catch (err) {
    redis.disconnect()
    throw err
  }
}

/** Closes the connections of all subscribers of pub/sub channels, which then reconnect. */
export async function endSubscriptions(servers: Pick<Servers, 'redis'>): Promise<void> {
  const redis = await openTestRedis(servers)
  for (const master of mastersOf(redis)) await master.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await closeRedis(redis)
}
