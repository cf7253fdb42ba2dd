import type { Servers } from '@tms/local-system'
import { closeRedis, mastersOf } from '@tms/service-kit'
import { keysOf } from '../../../services/events/src/redis/keys.ts'
import { PARTITIONS } from './events-harness.ts'
import { openTestRedis } from './test-redis.ts'

/** What the harness's events service keeps in Redis of queues, of all partitions and replicas. */
export interface PartitionKeys {
  /** A queue's lifespan is over. */
  runOut(queueId: string): Promise<void>
  /** Names of the keys that are a queue's own, or have something of it. */
  naming(queueId: string): Promise<string[]>
  /** Puts all partitions back to how they were before the work, as a Redis does that loses what it wrote meanwhile. */
  forget(work: () => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** How the harness's events service calls what it keeps in Redis. */
export const eventKeys = keysOf('', PARTITIONS)

/** Looks into a Redis that runs. */
export async function openPartitionKeys(servers: Servers): Promise<PartitionKeys> {
  const redis = await openTestRedis(servers)
  const prefixes = Array.from({ length: PARTITIONS }, (_, partition) => eventKeys.partition(partition))

  return {
    runOut: async (queueId) => {
      for (const prefix of prefixes) await redis.zadd(`${prefix}idle`, 'XX', 1, queueId)
    },
    naming: async (queueId) => {
      const found = await Promise.all(mastersOf(redis).map((master) => keysNaming(master, queueId)))
      return found.flat()
    },
    forget: async (work) => {
      const masters = mastersOf(redis)
      // Leases end by themselves, whatever else goes back.
      const goesBack = (key: string) =>
        prefixes.some((prefix) => key.startsWith(prefix)) && !key.endsWith(':lease')
      const before = await Promise.all(
        masters.map(async (master) => {
          const keys = (await master.keys('*')).filter(goesBack)
          return Promise.all(keys.map(async (key) => [key, await master.dumpBuffer(key)] as const))
        }),
      )
      await work()
      // What is of one partition, which is in one slot, at once.
      for (const [index, master] of masters.entries()) {
        for (const prefix of prefixes) {
          const all = master.multi()
          for (const [key, dump] of before[index] ?? []) {
            if (dump && key.startsWith(prefix)) all.restore(key, 0, dump, 'REPLACE')
          }
          await all.exec()
        }
      }
    },
    close: () => closeRedis(redis),
  }
}

type Master = ReturnType<typeof mastersOf>[number]

/** Whatever a key is called: a list of names would miss those that come to be. */
async function keysNaming(master: Master, queueId: string): Promise<string[]> {
  const keys = await master.keys('*')
  const parts = await Promise.all(keys.map((key) => partsOf(master, key)))
  return keys.filter((key, index) => [key, ...(parts[index] ?? [])].some((part) => part.includes(queueId)))
}

/** What a key has by name. */
async function partsOf(master: Master, key: string): Promise<string[]> {
  switch (await master.type(key)) {
    case 'hash':
      return master.hkeys(key)
    case 'set':
      return master.smembers(key)
    case 'zset':
      return master.zrange(key, '0', '-1')
    default:
      return []
  }
}
