import { randomUUID } from 'node:crypto'
import type { Logger } from '@tms/service-kit'
import type { LogTail } from '../log/log-tail.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { Changes } from './changes.ts'
import { type LeaseKeeper, leaseTiming } from './lease-keeper.ts'
import { Partition } from './partition.ts'

/** What it takes to own a partition. */
export interface TakeOptions {
  readonly replicaId: string
  readonly partitionCount: number
  readonly store: PartitionStore
  readonly keeper: LeaseKeeper
  readonly feed: () => LogTail
  readonly log: Logger
  readonly onCommitted: (changes: Changes, entries: number) => void
  /** Called once when this replica must stop owning the partition. */
  readonly onLost: (partition: Partition, reason: 'fenced' | 'moved') => void
  /** Called when the partition is to be offered again what comes after where it stands. */
  readonly onCaughtUp: (partition: Partition) => void
}

/** Takes a partition's lease and loads what is stored of it; null while another replica holds it. */
export async function takePartition(number: number, options: TakeOptions): Promise<Partition | null> {
  const { replicaId, store, keeper } = options
  const token = `${replicaId}:${randomUUID()}`
  if (!(await store.acquire(number, token, leaseTiming.leaseMs))) return null
  // At once: reading what is stored of many queues takes longer than a lease lasts.
  keeper.keep(number, token)
  let partition: Partition | null = null
  try {
    partition = await loadPartition(number, token, options)
    return partition
  } finally {
    if (!partition) keeper.drop(number, token)
  }
}

/** Null when the lease was lost meanwhile. */
async function loadPartition(number: number, token: string, options: TakeOptions): Promise<Partition | null> {
  const { partitionCount, store, feed, log, onCommitted, onLost, onCaughtUp } = options
  const partition: Partition = new Partition({
    partition: number,
    partitionCount,
    token,
    store,
    feed: feed(),
    log,
    onCommitted,
    onLost: (reason) => onLost(partition, reason),
    onCaughtUp: () => onCaughtUp(partition),
  })
  const offset = await partition.load()
  const isKnown = offset !== null && !feed().isLost(offset) && offset <= (await endAfter(offset, feed()))
  if (isKnown) return (await store.renew(number, token, leaseTiming.leaseMs)) === null ? null : partition
  // Never owned, or its log is gone: what its queues were promised can't be kept, so they end here.
  const head = feed().head() ?? 0
  if (offset !== null) log.error({ partition: number, offset, head }, 'log lost, queues of the partition end')
  return (await partition.reset(head, feed().positions())) ? partition : null
}

/** The newest offset known, looking again when it seems to lie before `offset`. */
async function endAfter(offset: number, feed: LogTail): Promise<number> {
  const end = feed.end() ?? -1
  return end >= offset ? end : feed.findEnd()
}
