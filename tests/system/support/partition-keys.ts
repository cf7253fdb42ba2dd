import { once } from 'node:events'
import type { Servers } from '@tms/local-system'
import { closeRedis, connectRedis, createLog, mastersOf } from '@tms/service-kit'

/** What the events service keeps in Redis of queues, of 16 partitions and all replicas. */
export interface PartitionKeys {
  /** A queue's lifespan is over. */
  runOut(queueId: string): Promise<void>
  /** Names of the keys that are a queue's own, or have something of it. */
  naming(queueId: string): Promise<string[]>
  /** Puts all partitions back to how they were before the work, as a Redis does that loses what it wrote meanwhile. */
  forget(work: () => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** Looks into a Redis that runs. */
export async function openPartitionKeys({ redis: { url } }: Servers): Promise<PartitionKeys> {
  const redis = connectRedis(url, createLog('test', 'silent'))
  if (redis.status !== 'ready') await once(redis, 'ready')
  const prefixes = Array.from({ length: 16 }, (_, partition) => `{events:16:${partition}}:`)

  return {
    runOut: async (queueId) => {
      for (const prefix of prefixes) await redis.zadd(`${prefix}idle`, 'XX', 1, queueId)
    },
    naming: async (queueId) => {
      const names: string[] = []
      for (const prefix of prefixes) {
        const own = [`${prefix}q:${queueId}`, `${prefix}channels:${queueId}`, `${prefix}seen:${queueId}`]
        for (const key of own) if (await redis.exists(key)) names.push(key)
        for (const key of ['queues', 'acked', 'holders', 'told'].map((name) => `${prefix}${name}`))
          if (await redis.hexists(key, queueId)) names.push(key)
        if ((await redis.zscore(`${prefix}idle`, queueId)) !== null) names.push(`${prefix}idle`)
      }
      return names
    },
    forget: async (work) => {
      const masters = mastersOf(redis)
      // Leases end by themselves, whatever else goes back.
      const before = await Promise.all(
        masters.map(async (master) => {
          const keys = (await master.keys('{events:16:*')).filter((key) => !key.endsWith(':lease'))
          return Promise.all(keys.map(async (key) => [key, await master.dumpBuffer(key)] as const))
        }),
      )
      await work()
      for (const [index, master] of masters.entries()) {
        const all = master.multi()
        for (const [key, dump] of before[index] ?? []) if (dump) all.restore(key, 0, dump, 'REPLACE')
        await all.exec()
      }
    },
    close: () => closeRedis(redis),
  }
}
