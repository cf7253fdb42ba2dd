import { afterEach, expect, test } from '@jest/globals'
import type { Logger } from '@tms/service-kit'
import type { LogFeed } from '../log/log-feed.ts'
import { RecentLog } from '../log/recent-log.ts'
import type { PartitionStore, StoredPartition } from '../redis/partition-store.ts'
import { type Coordinator, startCoordinator } from './coordinator.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import { preferredReplica } from './partition-of.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const keeper = { keep() {}, drop() {}, stop: async () => {} } as unknown as LeaseKeeper

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** What is stored of partitions that all stand at one offset, and who has them. */
function aStore(partitions: number, offset: number) {
  const stored = Array.from({ length: partitions }, () => ({ offset, token: null as string | null }))
  const of = (number: number) => stored[number] as (typeof stored)[number]
  const loads = new Map<number, Promise<void>>()
  const seen = {
    live: ['me'] as readonly string[],
    /** Rounds so far; each begins with announcing. */
    announced: 0,
    told: [] as string[],
    /** Numbers of partitions that were found to be as they should, in order. */
    renewed: [] as number[],
    /** Numbers of partitions that were given back, by rounds. */
    released: new Map<number, number[]>(),
  }
  const store: Partial<PartitionStore> = {
    isConnected: () => true,
    connectedAt: () => 0,
    announce: async () => {
      seen.announced++
      return [...seen.live]
    },
    retire: async () => {},
    tellHandover: async (replicaId) => seen.told.push(replicaId),
    acquire: async (number, token) => {
      if (of(number).token !== null) return false
      of(number).token = token
      return true
    },
    renew: async (number, token) => {
      seen.renewed.push(number)
      return of(number).token === token ? 1 : null
    },
    release: async (number, token) => {
      if (of(number).token === token) of(number).token = null
      const already = seen.released.get(seen.announced) ?? []
      seen.released.set(seen.announced, [...already, number])
    },
    reset: async (number, _token, at) => {
      of(number).offset = at
      return true
    },
    load: async (number): Promise<StoredPartition> => {
      await loads.get(number)
      return { offset: of(number).offset, mark: null, positions: {}, commits: 1, queues: [] }
    },
  }
  return { store: store as PartitionStore, seen, loads }
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
  } as unknown as LogFeed
  return { feed, log }
}

let coordinator: Coordinator
const start = (partitionCount: number, store: PartitionStore, feed: LogFeed) => {
  coordinator = startCoordinator({
    replicaId: 'me',
    partitionCount,
    maxBacklog: 10_000,
    maxQueuesPerUser: 100,
    store,
    keeper,
    feed: () => feed,
    log: silent,
    onCommitted() {},
  })
}
afterEach(() => coordinator.stop())

test('a partition that was loaded before the log was found to be lost is loaded again', async () => {
  const { store, seen, loads } = aStore(2, 1_001)
  const { feed, log } = aFeed(1_001)
  let goOn = () => {}
  loads.set(
    1,
    new Promise((resolve) => {
      goOn = resolve
    }),
  )
  start(2, store, feed)
  // The first is ready and waits for the other, for which reading takes longer.
  await until(() => seen.renewed.includes(0))
  log.end = 1
  coordinator.reload()
  goOn()
  await until(() => coordinator.owned().length === 2)

  expect(coordinator.owned().map(({ committedOffset }) => committedOffset)).toEqual([1, 1])
  expect(log.rewound).toEqual([])
})

test('a replica is not there for the others before it knows where the log ends', async () => {
  const { store, seen } = aStore(2, 10)
  const { feed, log } = aFeed(null)
  let looks = 0
  start(2, { ...store, isConnected: () => ++looks > 0 }, feed)
  await until(() => looks === 3)
  expect(seen).toMatchObject({ announced: 0, told: [] })

  log.end = 10
  await until(() => coordinator.owned().length === 2)
})

test('a replica that comes is given its share in portions, and what is taken is told', async () => {
  const partitions = 32
  const { store, seen } = aStore(partitions, 10)
  start(partitions, store, aFeed(10).feed)
  await until(() => coordinator.owned().length === partitions)
  // That it is there, and that it took what there was.
  expect(seen.told).toEqual(['me', 'me'])

  seen.live = ['me', 'other']
  const others = Array.from({ length: partitions }, (_, number) => number).filter(
    (number) => preferredReplica(number, seen.live) === 'other',
  )
  await until(() => {
    coordinator.look()
    return coordinator.owned().length === partitions - others.length
  })

  const portions = [...seen.released.values()]
  expect(portions.flat()).toEqual(others)
  expect(portions.map(({ length }) => length).slice(0, -1)).toEqual(
    Array.from({ length: Math.ceil(others.length / 4) - 1 }, () => 4),
  )
  expect(portions.at(-1)?.length).toBeLessThanOrEqual(4)
})
