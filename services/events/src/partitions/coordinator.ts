import { randomUUID } from 'node:crypto'
import { type Logger, startLoop } from '@tms/service-kit'
import type { LogRecord } from '../log/entry.ts'
import type { LogFeed } from '../log/log-feed.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { Changes } from './changes.ts'
import { Partition } from './partition.ts'
import { preferredReplica } from './partition-of.ts'
import { findDoomed, type QueueBounds } from './sweep.ts'

/**
 * A replica that dies is replaced after this, and at most a round: within two seconds in all. Too small gives up partitions
 * over a pause of the process.
 */
const LEASE_MS = 1_500
/** How often leases are renewed. Who comes, goes or gives back says so, and isn't waited for. */
const ROUND_MS = 250
const SWEEP_MS = 5_000
const CONNECT_LOOK_MS = 50

export interface Coordinator {
  /** Hands a log record to every owned partition. */
  offer(record: LogRecord): void
  /** Owned partitions and their live queues, for metrics. */
  readonly owned: () => readonly { partition: number; queues: number; committedOffset: number }[]
  /** Looks now who should own what. */
  look(): void
  /** Gives up every partition, so that the log or Redis is loaded afresh. */
  reload(): void
  stop(): Promise<void>
}

interface CoordinatorOptions extends QueueBounds {
  readonly replicaId: string
  readonly partitionCount: number
  readonly store: PartitionStore
  readonly feed: () => LogFeed
  readonly log: Logger
  readonly onCommitted: (changes: Changes, entries: number) => void
}

/**
 * Shares out the partitions over the live replicas: announces this one, keeps the leases of what it owns,
 * gives back what another should own, takes what it should own and nobody holds.
 */
export function startCoordinator(options: CoordinatorOptions): Coordinator {
  const { replicaId, partitionCount, store, feed, log } = options
  const owned = new Map<number, Partition>()
  let sweptAt = 0

  const forget = (partition: Partition) => {
    if (owned.get(partition.partition) === partition) owned.delete(partition.partition)
  }

  const giveBack = async (partition: Partition) => {
    forget(partition)
    await partition.stop()
    await store.release(partition.partition, partition.token).catch(() => {})
  }

  const renewAll = async () => {
    await Promise.all(
      [...owned.values()].map(async (partition) => {
        const committed = partition.committedOffset
        const stored = await store.renew(partition.partition, partition.token, LEASE_MS)
        if (stored === null) {
          log.warn({ partition: partition.partition }, 'partition lease lost')
          forget(partition)
          await partition.stop()
        } else if (stored < committed) {
          log.warn(
            { partition: partition.partition, stored, committed },
            'redis went back, partition is loaded afresh',
          )
          await giveBack(partition)
        } else partition.flush()
      }),
    )
  }

  const take = async (number: number): Promise<Partition | null> => {
    const token = `${replicaId}:${randomUUID()}`
    if (!(await store.acquire(number, token, LEASE_MS))) return null
    const partition: Partition = new Partition({
      partition: number,
      partitionCount,
      token,
      store,
      feed: feed(),
      log,
      onCommitted: options.onCommitted,
      onLost: (reason) => {
        log.warn({ partition: number, reason }, 'partition given up')
        void giveBack(partition)
      },
    })
    const offset = await partition.load()
    const isKnown = offset !== null && offset <= (await endAfter(offset))
    if (isKnown) return partition
    // Never owned, or its log is gone: what its queues were promised can't be kept, so they end here.
    const head = feed().head() ?? 0
    if (offset !== null)
      log.error({ partition: number, offset, head }, 'log lost, queues of the partition end')
    return (await partition.reset(head, feed().positions())) ? partition : null
  }

  /** The newest offset known, looking again when it seems to lie before `offset`. */
  const endAfter = async (offset: number): Promise<number> => {
    const head = feed().head() ?? -1
    return head >= offset ? head : feed().findEnd()
  }

  /** Gives the partition back, or returns it to be started, if that is due. */
  const settle = async (number: number, isOurs: boolean): Promise<Partition | null> => {
    const partition = owned.get(number)
    if (!partition && isOurs) return take(number)
    if (!partition || isOurs) return null
    await giveBack(partition)
    log.info({ partition: number }, 'partition given to another replica')
    return null
  }

  const start = (taken: readonly Partition[]) => {
    if (taken.length === 0) return
    const lowest = taken.reduce((a, b) => (b.committedOffset < a.committedOffset ? b : a))
    const { recent } = feed()
    for (const partition of taken) owned.set(partition.partition, partition)
    const first = recent.firstOffset
    const isInMemory = feed().isAnchored() && first !== null && lowest.committedOffset + 1 >= first
    if (isInMemory) {
      for (const partition of taken) {
        partition.offer(recent.between(partition.committedOffset, (recent.lastOffset ?? -1) + 1) ?? [])
      }
    } else feed().rewind(lowest.committedOffset, lowest.positions)
    log.info(
      { partitions: taken.map(({ partition }) => partition), from: lowest.committedOffset },
      'partitions taken',
    )
  }

  const sweep = async () => {
    sweptAt = Date.now()
    for (const partition of owned.values()) {
      const doomed = await findDoomed(partition, store, options)
      if (doomed.length > 0) partition.expire(doomed)
    }
  }

  const loop = startLoop({
    name: 'partitions',
    log,
    retryMs: ROUND_MS,
    round: async () => {
      if (!store.isConnected()) return CONNECT_LOOK_MS
      const live = await store.announce(replicaId, LEASE_MS)
      if (feed().head() === null) return ROUND_MS
      await renewAll()
      const numbers = Array.from({ length: partitionCount }, (_, number) => number)
      const taken = await Promise.all(
        numbers.map((number) => settle(number, preferredReplica(number, live) === replicaId)),
      )
      start(taken.filter((partition) => partition !== null))
      if (Date.now() - sweptAt > SWEEP_MS) await sweep()
      return ROUND_MS
    },
  })

  return {
    offer: (record) => {
      for (const partition of owned.values()) partition.offer([record])
    },
    owned: () =>
      [...owned.values()].map((partition) => ({
        partition: partition.partition,
        queues: partition.queueCount,
        committedOffset: partition.committedOffset,
      })),
    look: () => loop.wake(),
    reload: () => {
      for (const partition of owned.values()) void giveBack(partition)
      loop.wake()
    },
    stop: async () => {
      await loop.stop()
      await store.retire(replicaId).catch(() => {})
      await Promise.all([...owned.values()].map(giveBack))
    },
  }
}
