import { randomUUID } from 'node:crypto'
import type { Logger } from '@tms/service-kit'
import type { Changes } from '../delivery/changes.ts'
import type { LogTail } from '../log/log-tail.ts'
import { leaseTiming } from '../redis/lease-timing.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import { type LossReason, Partition } from './partition.ts'

export interface AcquireOptions {
  readonly replicaId: string
  readonly partitionCount: number
  readonly store: PartitionStore
  readonly keeper: LeaseKeeper
  readonly logTail: () => LogTail
  readonly log: Logger
  readonly onCommitted: (changes: Changes, entries: number) => void
  /** Called once when this replica must stop owning the partition. */
  readonly onLost: (partition: Partition, reason: LossReason) => void
  /** Offers the partition once more the records after its committed offset, since it has skipped some. */
  readonly rereadSkipped: (partition: Partition) => void
}

/** Acquires a partition's lease and loads its stored state. Returns null while another replica has the lease. */
export async function acquirePartition(number: number, options: AcquireOptions): Promise<Partition | null> {
  const { replicaId, store, keeper } = options
  const token = `${replicaId}:${randomUUID()}`
  if (!(await store.acquire(number, token, leaseTiming.leaseMs))) return null
  // Renewed from here on: loading many queues takes longer than a lease lasts.
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
async function loadPartition(
  number: number,
  token: string,
  options: AcquireOptions,
): Promise<Partition | null> {
  const { partitionCount, store, logTail, log, onCommitted, onLost, rereadSkipped } = options
  const partition: Partition = new Partition({
    number,
    partitionCount,
    token,
    store,
    logTail: logTail(),
    log,
    onCommitted,
    onLost: (reason) => onLost(partition, reason),
    rereadSkipped: () => rereadSkipped(partition),
  })
  const offset = await partition.load()
  const isKnown =
    offset !== null && !logTail().isLost(offset) && offset <= (await findEndAtLeast(offset, logTail()))
  if (isKnown) return (await store.renew(number, token, leaseTiming.leaseMs)) === null ? null : partition
  // Never owned before, or its log was lost: the queues can't be continued without missing events, so they end.
  const head = logTail().head() ?? 0
  if (offset !== null)
    log.error({ partition: number, offset, head }, 'log lost, ending all queues of the partition')
  return (await partition.reset(head, logTail().positions())) ? partition : null
}

/** The newest known offset; reads it from the broker if the known one lies before `offset`. */
async function findEndAtLeast(offset: number, logTail: LogTail): Promise<number> {
  const end = logTail.end() ?? -1
  return end >= offset ? end : logTail.findEnd()
}
