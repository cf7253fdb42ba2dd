import type { Servers } from '@tms/local-system'
import { closeRedis } from '@tms/service-kit'
import { eventKeys } from './partition-keys.ts'
import { openTestRedis } from './test-redis.ts'

/** Writes to Redis what an earlier release delivered to the clients of the harness's events service. */
export async function leaveEarlierRelease(servers: Servers): Promise<void> {
  const redis = await openTestRedis(servers)
  try {
    await redis.set(eventKeys.release, JSON.stringify({ version: '8.0', featureLevel: 200 }))
  } finally {
    await closeRedis(redis)
  }
}
