import { parentPort, workerData } from 'node:worker_threads'
// What else the kit and events have isn't loaded: the thread must be there as soon as the first lease is.
import { connectRedis } from '@tms/service-kit/redis'
import { keysOf } from '../redis/keys.ts'
import { createPartitionStore } from '../redis/partition-store.ts'
import { type KeeperData, type KeeperOrder, leaseTiming } from './lease-keeper.ts'

/** After this an event loop that doesn't turn counts as stuck. Too small gives up partitions over work that is nearly done. */
const STUCK_MS = 5_000

const { leaseMs, roundMs } = leaseTiming
const { redisUrl, tls, namespace, partitionCount, replicaId, beats } = workerData as KeeperData
const counter = new Int32Array(beats)
/** The loop's own connection says what is to be said of Redis. */
const silent = { info: () => {}, warn: () => {} }
const store = createPartitionStore(
  connectRedis(redisUrl, silent, { commandTimeoutMs: leaseMs, tls }),
  keysOf(namespace, partitionCount),
)
const kept = new Map<number, string>()
let [beatsSeen, beatAt] = [0, Date.now()]

parentPort?.on('message', ({ partition, token }: KeeperOrder) => {
  if (token === null) kept.delete(partition)
  else kept.set(partition, token)
})

setInterval(() => {
  const beatsNow = Atomics.load(counter, 0)
  if (beatsNow !== beatsSeen) [beatsSeen, beatAt] = [beatsNow, Date.now()]
  if (Date.now() - beatAt > STUCK_MS || !store.isConnected() || kept.size === 0) return
  // Whoever owns nothing yet, or nothing more, is announced by the loop or not at all.
  void store.announce(replicaId, leaseMs).catch(() => {})
  for (const [partition, token] of kept) void store.renew(partition, token, leaseMs).catch(() => {})
}, roundMs)
