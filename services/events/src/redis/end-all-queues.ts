import { mastersOf, type Redis } from '@tms/service-kit'
import { leaseTiming } from '../partitions/lease-keeper.ts'

/** Keys that one answer of a scan is about. */
const SCAN_COUNT = 1_000

/**
 * Ends every event queue, whatever the number of partitions it is under: clients register again. Nothing else of the namespace
 * is touched. Returns how many keys there were. Throws while a replica of events lives, which would write some of them again.
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

/** Keys of all servers; one may come twice. */
async function* keysLike(redis: Redis, match: string): AsyncGenerator<string> {
  for (const server of mastersOf(redis)) {
    for await (const keys of server.scanStream({ match, count: SCAN_COUNT }) as AsyncIterable<string[]>) {
      yield* keys
    }
  }
}
