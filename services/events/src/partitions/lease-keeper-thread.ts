import { parentPort, workerData } from 'node:worker_threads'
// Imports as little as possible: the thread must run as soon as the first lease is acquired.
import { collectAfterStart } from '@tms/service-kit/collect-after-start'
import { connectRedis } from '@tms/service-kit/redis'
import { createPartitionStore } from '../redis/create-partition-store.ts'
import { keysOf } from '../redis/keys.ts'
import { leaseTiming } from '../redis/lease-timing.ts'
import type { KeeperData, KeeperMessage } from './lease-keeper.ts'

/** An event loop that doesn't turn for this long counts as stuck. Too small releases partitions over work that is nearly done. */
const STUCK_MS = 5_000

const { leaseMs, roundMs } = leaseTiming
const { redisUrl, tls, namespace, partitionCount, replicaId, beats } = workerData as KeeperData
const counter = new Int32Array(beats)
/** The main thread's connection already logs the state of Redis. */
const silent = { info: () => {}, warn: () => {} }
const store = createPartitionStore(
  connectRedis(redisUrl, silent, { commandTimeoutMs: leaseMs, tls }),
  keysOf(namespace, partitionCount),
)
const leases = new Map<number, string>()
let [lastBeats, lastBeatAt] = [0, Date.now()]

collectAfterStart()
parentPort?.on('message', ({ partition, token }: KeeperMessage) => {
  if (token === null) leases.delete(partition)
  else leases.set(partition, token)
})

setInterval(() => {
  const currentBeats = Atomics.load(counter, 0)
  if (currentBeats !== lastBeats) [lastBeats, lastBeatAt] = [currentBeats, Date.now()]
  // A replica that owns no partition is announced by its event loop alone.
  if (Date.now() - lastBeatAt > STUCK_MS || !store.isConnected() || leases.size === 0) return
  void store.announce(replicaId, leaseMs).catch(() => {})
  for (const [partition, token] of leases) void store.renew(partition, token, leaseMs).catch(() => {})
}, roundMs)
