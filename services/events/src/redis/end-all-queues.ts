import { mastersOf, type Redis } from '@tms/service-kit'
import { leaseTiming } from './lease-timing.ts'

/** Approximate number of keys per answer of a scan. */
const SCAN_COUNT = 1_000

/**
 * Ends every event queue, for any number of partitions, so that clients register again. Touches nothing else in the namespace.
 * Returns the number of deleted keys. Throws while a replica of events is live, because it would write some of them again.
 */
export async function endAllQueues(redis: Redis, namespace: string): Promise<number> {
  const prefix = `${namespace === '' ? '' : `${namespace}:`}events:`
  const [seconds] = await redis.time()
  const aliveAfter = Number(seconds) * 1_000 - leaseTiming.leaseMs
  for await (const key of keysLike(redis, `${prefix}*:replicas`)) {
    if ((await redis.zcount(key, aliveAfter, '+inf')) > 0) {
      throw new Error('A replica of events still runs: stop all of them first')
    }
  }
  let count = 0
  for (const match of [`${prefix}*`, `{${prefix}*`]) {
    for await (const key of keysLike(redis, match)) count += await redis.unlink(key)
  }
  return count
}

/** Lists the keys of all servers; a key may occur twice. */
async function* keysLike(redis: Redis, match: string): AsyncGenerator<string> {
  for (const server of mastersOf(redis)) {
    for await (const keys of server.scanStream({ match, count: SCAN_COUNT }) as AsyncIterable<string[]>) {
      yield* keys
    }
  }
}
