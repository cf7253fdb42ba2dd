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

/** Shorter than the timeout of a test, so that no check continues after it. */
const TIMEOUT_MS = 4_000
const until = async (condition: () => boolean): Promise<void> => {
  const startedAt = Date.now()
  while (!condition()) {
    if (Date.now() - startedAt > TIMEOUT_MS) throw new Error(`never came true: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

interface StoredLease {
  offset: number
  token: string | null
}

/** A Redis with partitions that all have the same offset, and the replicas that distribute them. */
class Cluster {
  readonly #stored: StoredLease[]
  readonly #live = new Set<string>()
  readonly coordinators = new Map<string, Coordinator>()
  /** Number of rounds by replica so far; every round begins with an announcement. */
  readonly announced = new Map<string, number>()
  /** Replicas that published a handover, in order. */
  readonly handovers: string[] = []
  /** Numbers of partitions whose leases were renewed, in order. */
  readonly renewed: number[] = []
  /** Promises that loading a partition waits for. */
  readonly loads = new Map<number, Promise<void>>()

  constructor(partitions: number, offset: number) {
    this.#stored = Array.from({ length: partitions }, () => ({ offset, token: null }))
  }

  start(replicaId: string, logTail: LogTail, isConnected: () => boolean = () => true): Coordinator {
    const coordinator = startCoordinator({
      replicaId,
      partitionCount: this.#stored.length,
      maxBacklog: 10_000,
      maxQueuesPerUser: 100,
      store: { ...this.#storeOf(replicaId), isConnected } as PartitionStore,
      keeper,
      logTail: () => logTail,
      log: silent,
      onCommitted() {},
      now: () => 0,
    })
    this.coordinators.set(replicaId, coordinator)
    return coordinator
  }

  /** Partitions without an owner that serves them. */
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
      publishHandover: async () => {
        this.handovers.push(replicaId)
        for (const [id, coordinator] of this.coordinators) {
          if (id !== replicaId) coordinator.onHandover(replicaId)
        }
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

/** A log that ends at `end`; null if the end isn't known yet. */
function aLogTail(end: number | null) {
  const log = { end, rewound: [] as number[] }
  const logTail = {
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
  return { logTail, log }
}

let cluster: Cluster
afterEach(() => Promise.all([...cluster.coordinators.values()].map((one) => one.stop())))

test('a partition that was loaded before the loss of the log was noticed is loaded again', async () => {
  cluster = new Cluster(2, 1_001)
  const { logTail, log } = aLogTail(1_001)
  let finishLoading = () => {}
  cluster.loads.set(
    1,
    new Promise((resolve) => {
      finishLoading = resolve
    }),
  )
  const coordinator = cluster.start('me', logTail)
  // The first partition is loaded and waits for the other one.
  await until(() => cluster.renewed.includes(0))
  log.end = 1
  coordinator.reload()
  finishLoading()
  await until(() => coordinator.owned().length === 2)

  expect(coordinator.owned().map(({ committedOffset }) => committedOffset)).toEqual([1, 1])
  expect(log.rewound).toEqual([])
})

test('a replica is not announced before it knows the end of the log', async () => {
  cluster = new Cluster(2, 10)
  const { logTail, log } = aLogTail(null)
  let checks = 0
  const coordinator = cluster.start('me', logTail, () => ++checks > 0)
  await until(() => checks === 3)
  expect(cluster.announced.size).toBe(0)
  expect(cluster.handovers).toEqual([])

  log.end = 10
  await until(() => coordinator.owned().length === 2)
})

test('a new replica gets the next portion of its share after it acquired the previous one', async () => {
  const PORTION = 8
  cluster = new Cluster(64, 10)
  const { logTail } = aLogTail(10)
  const coordinators = [cluster.start('a', logTail), cluster.start('b', logTail)]
  await until(() => cluster.isSettled())

  let finishLoading = () => {}
  const loading = new Promise<void>((resolve) => {
    finishLoading = resolve
  })
  for (const number of cluster.numbers()) cluster.loads.set(number, loading)
  cluster.start('new', logTail)
  await until(() => cluster.unserved().length === PORTION)
  // Handovers of other replicas make them assign partitions again and again.
  const rounds = () => ['a', 'b'].map((id) => cluster.announced.get(id) ?? 0)
  const before = rounds()
  await until(() => {
    for (const coordinator of coordinators) coordinator.onHandover('elsewhere')
    return rounds().every((count, index) => count > (before[index] ?? 0) + 2)
  })
  expect(cluster.unserved()).toHaveLength(PORTION)

  finishLoading()
  await until(() => cluster.isSettled())
})
