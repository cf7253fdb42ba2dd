import { startLoop } from '@tms/service-kit'
import type { LogRecord } from '../log/entry.ts'
import { startAsideWork } from './aside-work.ts'
import { feedFrom } from './feed-from.ts'
import { createGiving } from './giving.ts'
import { leaseTiming } from './lease-keeper.ts'
import type { Partition } from './partition.ts'
import { preferredReplica } from './partition-of.ts'
import { findDoomed, type QueueBounds } from './sweep.ts'
import { type TakeOptions, takePartition } from './take-partition.ts'

/** Who comes, goes, gives back or takes says so, and isn't waited for by rounds. */
const { leaseMs: LEASE_MS, roundMs: ROUND_MS } = leaseTiming
const SWEEP_MS = 5_000
const READY_LOOK_MS = 50
/**
 * In a cluster the partitions of a master that is away are waited for this long in a round; too large, and leases of the
 * others run out meanwhile.
 */
const PATIENCE_MS = 250

export interface Coordinator {
  /** Hands a log record to every owned partition. */
  offer(record: LogRecord): void
  /** Owned partitions and their live queues, for metrics. */
  readonly owned: () => readonly { partition: number; queues: number; committedOffset: number }[]
  /** How often a partition was taken, ever. */
  readonly takenSoFar: () => number
  /** Looks now who should own what: that replica came or went, or gave or took something. */
  look(replicaId: string): void
  /** Gives up every partition, so that the log or Redis is loaded afresh. */
  reload(): void
  stop(): Promise<void>
}

/** The keeper is stopped with the coordinator. */
type CoordinatorOptions = QueueBounds &
  Omit<TakeOptions, 'onLost' | 'onCaughtUp'> & {
    /** Milliseconds, as of `Date.now()`. */
    readonly now?: () => number
  }

/**
 * Shares out the partitions over the live replicas: announces this one, keeps the leases of what it owns,
 * gives back what another should own, takes what it should own and nobody holds.
 */
export function startCoordinator(options: CoordinatorOptions): Coordinator {
  const { replicaId, partitionCount, store, keeper, feed, log, now = Date.now } = options
  const owned = new Map<number, Partition>()
  let sweptAt = 0
  let takenSoFar = 0
  /** Whether the others were told that this replica is there. */
  let hasTold = false
  /** The replicas that live, as far as is known. */
  let live: readonly string[] | null = null

  /** So that who is to go on from there looks at once; nobody misses it who doesn't hear it. */
  const tellOthers = () => void store.tellHandover(replicaId).catch(() => {})

  const forget = (partition: Partition) => {
    keeper.drop(partition.partition, partition.token)
    if (owned.get(partition.partition) === partition) owned.delete(partition.partition)
  }

  const release = async (partition: Partition) => {
    forget(partition)
    await partition.stop()
    await store.release(partition.partition, partition.token).catch(() => {})
  }
  /** What it gives up so, this replica may take again in its next round. */
  const giveBack = async (partition: Partition) => {
    await release(partition)
    tellOthers()
  }

  const renew = async (partition: Partition) => {
    const committed = partition.commits
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

  const take = (number: number): Promise<Partition | null> =>
    takePartition(number, {
      ...options,
      onLost: (partition, reason) => {
        log.warn({ partition: number, reason }, 'partition given up')
        void giveBack(partition)
      },
      onCaughtUp: (partition) => {
        if (owned.get(number) === partition) feedFrom(feed(), partition, [partition])
      },
    })

  const start = (taken: readonly Partition[]) => {
    const lowest = taken.reduce((a, b) => (b.committedOffset < a.committedOffset ? b : a))
    for (const partition of taken) owned.set(partition.partition, partition)
    takenSoFar += taken.length
    feedFrom(feed(), lowest, taken)
    log.info(
      { partitions: taken.map(({ partition }) => partition), from: lowest.committedOffset },
      'partitions taken',
    )
    tellOthers()
  }

  const sweep = async (partition: Partition) => {
    const doomed = await findDoomed(partition, store, options)
    if (doomed.length > 0) partition.expire(doomed)
  }

  /** Taken and loaded, but not fed yet. */
  const taken: Partition[] = []
  const giving = createGiving(partitionCount, now)
  /** Whether something was given since the others were told. */
  let hasGiven = false
  /** Whether a round is waiting for what it takes. */
  let isPlacing = false
  /** How often all was given up: what was loaded before that is of a log, or a Redis, that is no more. */
  let reloads = 0

  /**
   * Puts a partition where it belongs: gives it back, or takes it if nobody holds it. Nothing is given to who may be gone:
   * but what nobody holds is better taken twice, of which one is in vain, than by nobody.
   */
  const place = async (number: number, replicas: readonly string[], areSure: boolean) => {
    const preferred = preferredReplica(number, replicas) ?? replicaId
    const isOurs = preferred === replicaId
    const partition = owned.get(number)
    if (partition && !isOurs) {
      if (!areSure || !giving.allows(preferred)) return
      await release(partition)
      hasGiven = true
      log.info({ partition: number, to: preferred }, 'partition given to another replica')
    } else if (!partition && isOurs) {
      const reloadsBefore = reloads
      const fresh = await take(number)
      if (fresh && reloads !== reloadsBefore) await giveBack(fresh)
      else if (fresh) {
        taken.push(fresh)
        if (!isPlacing) loop.wake()
      }
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
      // Not before it could go on with what it is given.
      if (!store.isConnected() || feed().head() === null) return READY_LOOK_MS
      // In a cluster the master may be away that knows the replicas; what they own they go on with, and lose and take again.
      let areSure = false
      await work.onEach([0], 'announce', async () => {
        live = await store.announce(replicaId, LEASE_MS)
        areSure = true
        if (!hasTold) tellOthers()
        hasTold = true
      })
      await onOwned('renew', renew)
      const replicas = live
      if (replicas) {
        giving.begin(replicas.length)
        isPlacing = true
        await work.onEach(all, 'place', (number) => place(number, replicas, areSure))
        isPlacing = false
      }
      // Once for all of them, so that the others take them together.
      if (hasGiven) tellOthers()
      hasGiven = false
      if (taken.length > 0) start(taken.splice(0))
      if (now() - sweptAt > SWEEP_MS) {
        sweptAt = now()
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
    takenSoFar: () => takenSoFar,
    look: (from) => {
      giving.heardOf(from)
      loop.wake()
    },
    reload: () => {
      reloads++
      void Promise.all([...owned.values(), ...taken.splice(0)].map(giveBack)).then(() => loop.wake())
    },
    stop: async () => {
      await loop.stop()
      await keeper.stop()
      await store.retire(replicaId).catch(() => {})
      tellOthers()
      await Promise.all([...owned.values()].map(giveBack))
    },
  }
}
