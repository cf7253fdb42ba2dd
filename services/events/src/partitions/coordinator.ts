import { startLoop } from '@tms/service-kit'
import type { LogRecord } from '../log/entry.ts'
import { leaseTiming } from '../redis/lease-timing.ts'
import { type AcquireOptions, acquirePartition } from './acquire-partition.ts'
import { createBackgroundTasks } from './background-tasks.ts'
import { catchUpPartitions } from './catch-up.ts'
import type { Partition } from './partition.ts'
import { preferredReplica } from './partition-of.ts'
import { createReleaseLimit } from './release-limit.ts'
import { findQueuesToClose, type QueueBounds } from './sweep.ts'

const { leaseMs: LEASE_MS, roundMs: ROUND_MS } = leaseTiming
const SWEEP_MS = 5_000
const READY_CHECK_MS = 50
/**
 * Maximum wait of a round for partitions of a cluster's master that is unavailable. Too large, and the leases of the others
 * expire meanwhile.
 */
const MAX_WAIT_MS = 250

export interface Coordinator {
  offer(record: LogRecord): void
  readonly owned: () => readonly { partition: number; queues: number; committedOffset: number }[]
  readonly countAcquired: () => number
  /** Assigns partitions at once: that replica started or stopped, or released or acquired partitions. */
  onHandover(replicaId: string): void
  /** Releases every partition, so that each is loaded afresh from Redis and the log. */
  reload(): void
  stop(): Promise<void>
}

/** The keeper is stopped with the coordinator. */
type CoordinatorOptions = QueueBounds &
  Omit<AcquireOptions, 'onLost' | 'rereadSkipped'> & {
    readonly now?: () => number
  }

/**
 * Distributes the partitions over the live replicas: announces this replica, renews its leases, releases partitions that another
 * replica should own, and acquires free ones that it should own.
 */
export function startCoordinator(options: CoordinatorOptions): Coordinator {
  const { replicaId, partitionCount, store, keeper, logTail, log, now = Date.now } = options
  const owned = new Map<number, Partition>()
  let sweptAt = 0
  let acquiredCount = 0
  let hasAnnounced = false
  let liveReplicas: readonly string[] | null = null

  /** Makes other replicas assign partitions at once. A lost message only delays them until their next round. */
  const publishHandover = () => void store.publishHandover(replicaId).catch(() => {})

  const disown = (partition: Partition) => {
    keeper.drop(partition.number, partition.token)
    if (owned.get(partition.number) === partition) owned.delete(partition.number)
  }

  const release = async (partition: Partition) => {
    disown(partition)
    await partition.stop()
    await store.release(partition.number, partition.token).catch(() => {})
  }
  /** Releases a partition that this replica may acquire again in its next round. */
  const releaseAndPublish = async (partition: Partition) => {
    await release(partition)
    publishHandover()
  }

  const renew = async (partition: Partition) => {
    const committed = partition.commits
    const stored = await store.renew(partition.number, partition.token, LEASE_MS)
    if (stored === null) {
      log.warn({ partition: partition.number }, 'partition lease lost')
      disown(partition)
      await partition.stop()
    } else if (stored < committed) {
      log.warn(
        { partition: partition.number, stored, committed },
        'redis lost commits, partition will be reloaded',
      )
      await releaseAndPublish(partition)
    } else partition.flush()
  }

  const acquire = (number: number): Promise<Partition | null> =>
    acquirePartition(number, {
      ...options,
      onLost: (partition, reason) => {
        log.warn({ partition: number, reason }, 'partition ownership lost')
        void releaseAndPublish(partition)
      },
      rereadSkipped: (partition) => {
        if (owned.get(number) === partition) catchUpPartitions(logTail(), partition, [partition])
      },
    })

  /** Begins to own partitions that are acquired and loaded: they follow the log from their committed offsets on. */
  const adopt = (partitions: readonly Partition[]) => {
    const lowest = partitions.reduce((a, b) => (b.committedOffset < a.committedOffset ? b : a))
    for (const partition of partitions) owned.set(partition.number, partition)
    acquiredCount += partitions.length
    catchUpPartitions(logTail(), lowest, partitions)
    log.info(
      { partitions: partitions.map(({ number }) => number), from: lowest.committedOffset },
      'partitions acquired',
    )
    publishHandover()
  }

  const sweep = async (partition: Partition) => {
    const queueIds = await findQueuesToClose(partition, store, options)
    if (queueIds.length > 0) partition.closeQueues(queueIds)
  }

  /** Acquired and loaded, but not adopted yet. */
  const acquired: Partition[] = []
  const releaseLimit = createReleaseLimit(partitionCount, now)
  let hasReleased = false
  /** Whether a round is waiting for its assignments. */
  let isAssigning = false
  /** How often all partitions were released: state loaded before that belongs to a former log or Redis. */
  let reloads = 0

  /**
   * Releases a partition that another replica should own, or acquires a free one that this replica should own. Releases nothing
   * while the list of live replicas may be outdated. Acquires even then: if two replicas try, one fails harmlessly.
   */
  const assign = async (number: number, replicas: readonly string[], isCurrent: boolean) => {
    const preferred = preferredReplica(number, replicas) ?? replicaId
    const isOurs = preferred === replicaId
    const partition = owned.get(number)
    if (partition && !isOurs) {
      if (!isCurrent || !releaseLimit.mayRelease(preferred)) return
      await release(partition)
      hasReleased = true
      log.info({ partition: number, to: preferred }, 'partition released to another replica')
    } else if (!partition && isOurs) {
      const reloadsBefore = reloads
      const fresh = await acquire(number)
      if (fresh && reloads !== reloadsBefore) await releaseAndPublish(fresh)
      else if (fresh) {
        acquired.push(fresh)
        if (!isAssigning) loop.wake()
      }
    }
  }

  const tasks = createBackgroundTasks(MAX_WAIT_MS)
  const all = Array.from({ length: partitionCount }, (_, number) => number)
  const runOnOwned = (name: string, task: (partition: Partition) => Promise<void>) =>
    tasks.runEach([...owned.keys()], name, async (number) => {
      const partition = owned.get(number)
      if (partition) await task(partition)
    })

  const loop = startLoop({
    name: 'partitions',
    log,
    retryMs: ROUND_MS,
    round: async () => {
      // Not before this replica could serve the partitions that it acquires.
      if (!store.isConnected() || logTail().head() === null) return READY_CHECK_MS
      // In a cluster, the master that has the list of replicas may be unavailable. Assignment then continues with the last list.
      let isCurrent = false
      await tasks.runEach([0], 'announce', async () => {
        liveReplicas = await store.announce(replicaId, LEASE_MS)
        isCurrent = true
        if (!hasAnnounced) publishHandover()
        hasAnnounced = true
      })
      await runOnOwned('renew', renew)
      const replicas = liveReplicas
      if (replicas) {
        releaseLimit.startRound(replicas.length)
        isAssigning = true
        await tasks.runEach(all, 'assign', (number) => assign(number, replicas, isCurrent))
        isAssigning = false
      }
      // Published once per round, so that other replicas acquire them together.
      if (hasReleased) publishHandover()
      hasReleased = false
      if (acquired.length > 0) adopt(acquired.splice(0))
      if (now() - sweptAt > SWEEP_MS) {
        sweptAt = now()
        await runOnOwned('sweep', sweep)
      }
      tasks.throwFailure()
      return ROUND_MS
    },
  })

  return {
    offer: (record) => {
      for (const partition of owned.values()) partition.offer([record])
    },
    owned: () =>
      [...owned.values()].map((partition) => ({
        partition: partition.number,
        queues: partition.queueCount,
        committedOffset: partition.committedOffset,
      })),
    countAcquired: () => acquiredCount,
    onHandover: (from) => {
      releaseLimit.confirm(from)
      loop.wake()
    },
    reload: () => {
      reloads++
      void Promise.all([...owned.values(), ...acquired.splice(0)].map(releaseAndPublish)).then(() =>
        loop.wake(),
      )
    },
    stop: async () => {
      await loop.stop()
      await keeper.stop()
      await store.retire(replicaId).catch(() => {})
      publishHandover()
      await Promise.all([...owned.values()].map(releaseAndPublish))
    },
  }
}
