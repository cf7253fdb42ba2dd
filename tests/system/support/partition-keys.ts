import type { Servers } from '@tms/local-system'
import { closeRedis, mastersOf } from '@tms/service-kit'
import { keysOf } from '../../../services/events/src/redis/keys.ts'
import { PARTITIONS } from './events-harness.ts'
import { openTestRedis } from './test-redis.ts'

/** The keys of queues in the Redis of the harness's events service, for all partitions and replicas. */
export interface PartitionKeys {
  /** Expires a queue's lifespan. */
  runOut(queueId: string): Promise<void>
  /** Names of the keys that belong to a queue, or contain its data. */
  naming(queueId: string): Promise<string[]>
  /** Restores all partitions to their state before the work, like a Redis that loses its writes meanwhile. */
  forget(work: () => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** The key names of the harness's events service in Redis. */
export const eventKeys = keysOf('', PARTITIONS)

/** Opens a running Redis. */
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
      // Leases expire by themselves, and are not restored.
      const shouldRestore = (key: string) =>
        prefixes.some((prefix) => key.startsWith(prefix)) && !key.endsWith(':lease')
      const before = await Promise.all(
        masters.map(async (master) => {
          const keys = (await master.keys('*')).filter(shouldRestore)
          return Promise.all(keys.map(async (key) => [key, await master.dumpBuffer(key)] as const))
        }),
      )
      await work()
      // The keys of one partition, which are in one slot, at once.
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

/** All keys of any name: a list of names would miss new ones. */
async function keysNaming(master: Master, queueId: string): Promise<string[]> {
  const keys = await master.keys('*')
  const parts = await Promise.all(keys.map((key) => partsOf(master, key)))
  return keys.filter((key, index) => [key, ...(parts[index] ?? [])].some((part) => part.includes(queueId)))
}

/** The values of a key, by name. */
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
