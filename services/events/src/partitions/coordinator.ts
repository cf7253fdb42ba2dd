import { randomUUID } from 'node:crypto'
import { type Logger, startLoop } from '@tms/service-kit'
import type { LogRecord } from '../log/entry.ts'
import type { LogFeed } from '../log/log-feed.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import { startAsideWork } from './aside-work.ts'
import type { Changes } from './changes.ts'
import { Partition } from './partition.ts'
import { preferredReplica } from './partition-of.ts'

/** A replica that dies is replaced after this; too small gives up partitions over a pause of the process. */
const LEASE_MS = 2_000
const ROUND_MS = 400
const SWEEP_MS = 5_000
const CONNECT_LOOK_MS = 50
/**
 * In a cluster the partitions of a master that is away are waited for this long in a round; too large, and leases of the
 * others run out meanwhile.
 */
const PATIENCE_MS = 500

export interface Coordinator {
  /** Hands a log record to every owned partition. */
  offer(record: LogRecord): void
  /** Owned partitions and their live queues, for metrics. */
  readonly owned: () => readonly { partition: number; queues: number; committedOffset: number }[]
  /** Gives up every partition, so that the log or Redis is loaded afresh. */
  reload(): void
  stop(): Promise<void>
}

interface CoordinatorOptions {
  readonly replicaId: string
  readonly partitionCount: number
  readonly maxBacklog: number
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

  const renew = async (partition: Partition) => {
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
    // Reading what is stored takes its time.
    if (isKnown) return (await store.renew(number, token, LEASE_MS)) === null ? null : partition
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

  const start = (taken: readonly Partition[]) => {
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

  const sweep = async (partition: Partition) => {
    const doomed = await store.sweep(partition.partition, options.maxBacklog)
    if (doomed.length > 0) partition.expire(doomed)
  }

  /** Taken and loaded, but not fed yet. */
  const taken: Partition[] = []

  /** Puts a partition where it belongs: gives it back, or takes it if nobody holds it. */
  const place = async (number: number, live: readonly string[]) => {
    const isOurs = preferredReplica(number, live) === replicaId
    const partition = owned.get(number)
    if (partition && !isOurs) {
      await giveBack(partition)
      log.info({ partition: number }, 'partition given to another replica')
    } else if (!partition && isOurs) {
      const fresh = await take(number)
      if (fresh) taken.push(fresh)
    }
  }

  const work = startAsideWork(PATIENCE_MS)
  const all = Array.from({ length: partitionCount }, (_, number) => number)
  const onOwned = (name: string, task: (partition: Partition) => Promise<void>) =>
    work.onEach([...owned.keys()], name, async (number) => {
      const partition = owned.get(number)
      if (partition) await task(partition)
    })

  const loop = startLoop({
    name: 'partitions',
    log,
    retryMs: ROUND_MS,
    round: async () => {
      if (!store.isConnected()) return CONNECT_LOOK_MS
      // In a cluster the master may be away that knows the replicas; what they own they go on with.
      const announced: (readonly string[])[] = []
      await work.onEach([0], 'announce', async () => {
        announced.push(await store.announce(replicaId, LEASE_MS))
      })
      const [live] = announced
      if (feed().head() === null) return ROUND_MS
      await onOwned('renew', renew)
      if (live) await work.onEach(all, 'place', (number) => place(number, live))
      if (taken.length > 0) start(taken.splice(0))
      if (Date.now() - sweptAt > SWEEP_MS) {
        sweptAt = Date.now()
        await onOwned('sweep', sweep)
      }
      work.throwFailure()
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
