import { expect, test } from '@jest/globals'
import type { Logger } from '@tms/service-kit'
import type { LogFeed } from '../log/log-feed.ts'
import { RecentLog } from '../log/recent-log.ts'
import type { PartitionStore, StoredPartition } from '../redis/partition-store.ts'
import { startCoordinator } from './coordinator.ts'
import type { LeaseKeeper } from './lease-keeper.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger
const keeper = { keep() {}, drop() {}, stop: async () => {} } as unknown as LeaseKeeper

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** What is stored of partitions that all stand at one offset, and who has them. */
function aStore(partitions: number, offset: number) {
  const stored = Array.from({ length: partitions }, () => ({ offset, token: null as string | null }))
  const of = (number: number) => stored[number] as (typeof stored)[number]
  /** Numbers of partitions that were found to be as they should, in order. */
  const renewed: number[] = []
  const loads = new Map<number, Promise<void>>()
  const store: Partial<PartitionStore> = {
    isConnected: () => true,
    connectedAt: () => 0,
    announce: async () => ['me'],
    retire: async () => {},
    tellHandover: async () => 1,
    acquire: async (number, token) => {
      if (of(number).token !== null) return false
      of(number).token = token
      return true
    },
    renew: async (number, token) => {
      renewed.push(number)
      return of(number).token === token ? 1 : null
    },
    release: async (number, token) => {
      if (of(number).token === token) of(number).token = null
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
  return { store: store as PartitionStore, renewed, loads }
}

test('a partition that was loaded before the log was found to be lost is loaded again', async () => {
  const { store, renewed, loads } = aStore(2, 1_001)
  let end = 1_001
  const rewound: number[] = []
  const feed = {
    head: () => end,
    end: () => end,
    next: () => end + 1,
    findEnd: async () => end,
    isLost: (offset: number) => offset > end,
    positions: () => ({}),
    isAnchored: () => true,
    recent: new RecentLog(() => true),
    rewind: ({ offset }: { offset: number }) => rewound.push(offset),
  } as unknown as LogFeed
  let goOn = () => {}
  loads.set(
    1,
    new Promise((resolve) => {
      goOn = resolve
    }),
  )
  const coordinator = startCoordinator({
    replicaId: 'me',
    partitionCount: 2,
    maxBacklog: 10_000,
    maxQueuesPerUser: 100,
    store,
    keeper,
    feed: () => feed,
    log: silent,
    onCommitted() {},
  })
  try {
    // The first is ready and waits for the other, for which reading takes longer.
    await until(() => renewed.includes(0))
    end = 1
    coordinator.reload()
    goOn()
    await until(() => coordinator.owned().length === 2)

    expect(coordinator.owned().map(({ committedOffset }) => committedOffset)).toEqual([1, 1])
    expect(rewound).toEqual([])
  } finally {
    await coordinator.stop()
  }
})
