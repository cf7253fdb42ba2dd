import type { Logger } from '@tms/service-kit'
import { afterEach, expect, test } from 'vitest'
import type { LogTail } from '../log/log-tail.ts'
import { RecentLog } from '../log/recent-log.ts'
import type { PartitionStore, StoredPartition } from '../redis/partition-store.ts'
import { type Coordinator, startCoordinator } from './coordinator.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import { preferredReplica } from './partition-of.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const keeper = { keep() {}, drop() {}, stop: async () => {} } as unknown as LeaseKeeper

/** Before the test itself is given up, so that nothing goes on looking. */
const GIVE_UP_MS = 4_000
const until = async (holds: () => boolean): Promise<void> => {
  const startedAt = Date.now()
  while (!holds()) {
    if (Date.now() - startedAt > GIVE_UP_MS) throw new Error(`never came true: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

interface StoredLease {
  offset: number
  token: string | null
}

/** A Redis with partitions that all stand at one offset, and the replicas that share them out. */
class Shared {
  readonly #stored: StoredLease[]
  readonly #live = new Set<string>()
  readonly coordinators = new Map<string, Coordinator>()
  /** Rounds of each replica so far; every one begins with announcing. */
  readonly announced = new Map<string, number>()
  /** Who told the others that something changed, in order. */
  readonly told: string[] = []
  /** Numbers of partitions that were found to be as they should, in order. */
  readonly renewed: number[] = []
  /** What loading a partition waits for. */
  readonly loads = new Map<number, Promise<void>>()

  constructor(partitions: number, offset: number) {
    this.#stored = Array.from({ length: partitions }, () => ({ offset, token: null }))
  }

  start(replicaId: string, feed: LogTail, isConnected: () => boolean = () => true): Coordinator {
    const coordinator = startCoordinator({
      replicaId,
      partitionCount: this.#stored.length,
      maxBacklog: 10_000,
      maxQueuesPerUser: 100,
      store: { ...this.#storeOf(replicaId), isConnected } as PartitionStore,
      keeper,
      feed: () => feed,
      log: silent,
      onCommitted() {},
      now: () => 0,
    })
    this.coordinators.set(replicaId, coordinator)
    return coordinator
  }

  /** Partitions whose events nobody brings to their queues at the moment. */
  unserved(): number[] {
    const served = new Set(
      [...this.coordinators.values()].flatMap((one) => one.owned().map(({ partition }) => partition)),
    )
    return this.numbers().filter((number) => !served.has(number))
  }

  /** Whether every partition is served by the replica that should own it. */
  isSettled(): boolean {
    return this.numbers().every((number) =>
      this.coordinators
        .get(preferredReplica(number, [...this.#live]) ?? '')
        ?.owned()
        .some(({ partition }) => partition === number),
    )
  }

  numbers(): number[] {
    return [...this.#stored.keys()]
  }

  #of(number: number): StoredLease {
    return this.#stored[number] as StoredLease
  }

  #storeOf(replicaId: string): Partial<PartitionStore> {
    return {
      connectedAt: () => 0,
      announce: async () => {
        this.announced.set(replicaId, (this.announced.get(replicaId) ?? 0) + 1)
        this.#live.add(replicaId)
        return [...this.#live]
      },
      retire: async () => {},
      tellHandover: async () => {
        this.told.push(replicaId)
        for (const [id, coordinator] of this.coordinators) if (id !== replicaId) coordinator.look(replicaId)
      },
      acquire: async (number, token) => {
        if (this.#of(number).token !== null) return false
        this.#of(number).token = token
        return true
      },
      renew: async (number, token) => {
        this.renewed.push(number)
        return this.#of(number).token === token ? 1 : null
      },
      release: async (number, token) => {
        if (this.#of(number).token === token) this.#of(number).token = null
      },
      reset: async (number, _token, at) => {
        this.#of(number).offset = at
        return true
      },
      load: async (number): Promise<StoredPartition> => {
        await this.loads.get(number)
        return { offset: this.#of(number).offset, mark: null, positions: {}, commits: 1, queues: [] }
      },
    }
  }
}

/** A log that ends at `end`, or of which the end isn't known yet. */
function aFeed(end: number | null) {
  const log = { end, rewound: [] as number[] }
  const feed = {
    head: () => log.end,
    end: () => log.end,
    next: () => (log.end ?? 0) + 1,
    findEnd: async () => log.end,
    isLost: (offset: number) => offset > (log.end ?? 0),
    positions: () => ({}),
    isAnchored: () => true,
    recent: new RecentLog(() => true),
    rewind: ({ offset }: { offset: number }) => log.rewound.push(offset),
  } as unknown as LogTail
  return { feed, log }
}

let shared: Shared
afterEach(() => Promise.all([...shared.coordinators.values()].map((one) => one.stop())))

test('a partition that was loaded before the log was found to be lost is loaded again', async () => {
  shared = new Shared(2, 1_001)
  const { feed, log } = aFeed(1_001)
  let goOn = () => {}
  shared.loads.set(
    1,
    new Promise((resolve) => {
      goOn = resolve
    }),
  )
  const coordinator = shared.start('me', feed)
  // The first is ready and waits for the other, for which reading takes longer.
  await until(() => shared.renewed.includes(0))
  log.end = 1
  coordinator.reload()
  goOn()
  await until(() => coordinator.owned().length === 2)

  expect(coordinator.owned().map(({ committedOffset }) => committedOffset)).toEqual([1, 1])
  expect(log.rewound).toEqual([])
})

test('a replica is not there for the others before it knows where the log ends', async () => {
  shared = new Shared(2, 10)
  const { feed, log } = aFeed(null)
  let looks = 0
  const coordinator = shared.start('me', feed, () => ++looks > 0)
  await until(() => looks === 3)
  expect(shared.announced.size).toBe(0)
  expect(shared.told).toEqual([])

  log.end = 10
  await until(() => coordinator.owned().length === 2)
})

test('a replica that comes is given the next portion of its share when it has taken the one before', async () => {
  const PORTION = 8
  shared = new Shared(64, 10)
  const { feed } = aFeed(10)
  const givers = [shared.start('a', feed), shared.start('b', feed)]
  await until(() => shared.isSettled())

  let goOn = () => {}
  const loading = new Promise<void>((resolve) => {
    goOn = resolve
  })
  for (const number of shared.numbers()) shared.loads.set(number, loading)
  shared.start('new', feed)
  await until(() => shared.unserved().length === PORTION)
  // They hear of each other, and look again and again.
  const rounds = () => ['a', 'b'].map((id) => shared.announced.get(id) ?? 0)
  const before = rounds()
  await until(() => {
    for (const giver of givers) giver.look('elsewhere')
    return rounds().every((count, index) => count > (before[index] ?? 0) + 2)
  })
  expect(shared.unserved()).toHaveLength(PORTION)

  goOn()
  await until(() => shared.isSettled())
})
