import type { Servers } from '@tms/local-system'
import { closeRedis, connectRedis, createLog, mastersOf, type Redis, untilRedisReady } from '@tms/service-kit'

/** Redis runs before a test looks into it, so this is a busy machine's time to connect. */
const READY_MS = 30_000

/** A connection to a system's Redis, to look into it and to change it. Rejects when it doesn't answer. */
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

/** Ends the connections of all who listen to channels, until they are connected anew. */
export async function endSubscriptions(servers: Pick<Servers, 'redis'>): Promise<void> {
  const redis = await openTestRedis(servers)
  for (const master of mastersOf(redis)) await master.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await closeRedis(redis)
}
