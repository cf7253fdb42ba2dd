import type { Servers } from '@tms/local-system'
import { connectRedis, createLog } from '@tms/service-kit'

/** Leaves in Redis what an earlier release had told the clients of an events service with 16 partitions. */
export async function leaveEarlierRelease({ redis: { url } }: Servers): Promise<void> {
  const redis = connectRedis(url, createLog('test', 'silent'))
  try {
    await new Promise<void>((resolve) => {
      redis.once('ready', () => resolve())
    })
    await redis.set('events:16:release', JSON.stringify({ version: '8.0', featureLevel: 200 }))
  } finally {
    redis.disconnect()
  }
}
