import type { QueueRecord } from '@tms/contracts'
import type { Changes } from '../delivery/changes.ts'
import type { StreamPositions } from '../log/entry.ts'
import type { DeliveryBoundaries } from './delivery-boundaries.ts'

/** Stored state of a partition, as a new owner loads it. */
export interface StoredPartition {
  /** Committed log offset; null for a partition that never had an owner. */
  readonly offset: number | null
  /** Digest of the entry at that offset; null if unknown. */
  readonly mark: string | null
  readonly positions: StreamPositions
  readonly commits: number
  readonly queues: readonly StoredQueue[]
}

export interface StoredQueue {
  readonly record: QueueRecord
  readonly channelIds: readonly number[]
  /** Empty if the record doesn't restrict visibility. */
  readonly visibleUserIds: readonly number[]
}

/**
 * `fenced`: another replica owns the partition. `diverged`: Redis has another offset or number of commits than this owner wrote
 * last, because it lost its last second, or because this very commit succeeded before and its answer was lost.
 */
export type CommitOutcome = 'done' | 'fenced' | 'diverged'

export type PollAnswer =
  | QueueContent
  /** The user has no such queue; `offset` as below. */
  | { readonly status: 'missing'; readonly offset: number }
  /** It acknowledged an event before the last acknowledged one. */
  | { readonly status: 'stale' }
  /** A newer poll of the queue is pending. */
  | { readonly status: 'superseded' }
  /** It acknowledged an event that was never in the queue. */
  | { readonly status: 'unknown_event' }

export type AcknowledgeAnswer =
  | { readonly status: 'ok' }
  | Extract<PollAnswer, { status: 'missing' | 'unknown_event' }>

export interface QueueContent {
  readonly status: 'ok'
  /** Committed log offset at the time of reading. */
  readonly offset: number
  /** Number of the poll: of two polls of a queue, the newer has the higher number. Far below the largest safe integer. */
  readonly number: number
  readonly record: QueueRecord | null
  /** Boundaries of earlier deliveries of the events; meaningless without events. */
  readonly boundaries: DeliveryBoundaries
  readonly eventIds: readonly number[]
}

export interface QueueStatus {
  readonly record: QueueRecord
  readonly waiting: number
  /** The last event ID acknowledged; -1 if none. */
  readonly acknowledged: number
  /** UNIX seconds. */
  readonly endsAt: number
}

/** Typed access to partitions in Redis. Every asynchronous method rejects while Redis is unavailable. */
export interface PartitionStore {
  isConnected(): boolean
  /** Time of the newest connection to a master, in milliseconds of `Date.now()`. */
  connectedAt(): number
  /** Announces the replica as live and returns all replicas that did so within `timeoutMs`. */
  announce(replicaId: string, timeoutMs: number): Promise<string[]>
  retire(replicaId: string): Promise<unknown>
  /** Acquires the lease if it is free; `token` then fences off every earlier owner. */
  acquire(partition: number, token: string, leaseMs: number): Promise<boolean>
  /** Extends the lease. Returns the number of commits, or null if the lease is lost. */
  renew(partition: number, token: string, leaseMs: number): Promise<number | null>
  release(partition: number, token: string): Promise<unknown>
  /** Empties the partition and sets its log offset, which counts as a commit. Returns false when fenced. */
  reset(partition: number, token: string, offset: number, positions: StreamPositions): Promise<boolean>
  load(partition: number): Promise<StoredPartition>
  /**
   * Writes a batch's changes and its last offset atomically. `traceparents`, by offset, are published to the replicas that
   * deliver the events.
   */
  commit(
    partition: number,
    at: CommitPoint,
    changes: Changes,
    traceparents?: Readonly<Record<number, string>>,
  ): Promise<CommitOutcome>
  /** Acknowledges events, records the poll as pending, ends an older one at another replica, and reads the queue. */
  poll(partition: number, options: PollOptions): Promise<PollAnswer>
  /** Acknowledges events; polls and streams continue. */
  acknowledge(partition: number, options: AcknowledgeOptions): Promise<AcknowledgeAnswer>
  /** Removes the record of a stream that ended, unless another poll or stream took over. */
  clearStream(partition: number, queueId: string, number: number): Promise<unknown>
  /** Removes the record of the pending poll with that number, which ended without returning events. */
  clearPendingPoll(partition: number, queueId: string, number: number): Promise<unknown>
  /**
   * Deletes a queue, so that polls don't find it, and ends its pending poll. The owner cleans up when it reads the closing in
   * the log. Returns false if there is no such queue.
   */
  deleteQueue(partition: number, queueId: string, userId: number): Promise<boolean>
  /** Whether the partition has ever had an owner, and so has a log offset. */
  isInitialized(partition: number): Promise<boolean>
  hasQueue(partition: number, queueId: string): Promise<boolean>
  /** Drops a limited number of unreferenced payloads; finds queues to close: expired, too long or deleted. */
  sweep(partition: number, maxBacklog: number): Promise<SweepResult>
  /** The times at which these queues end if nobody polls them, in UNIX seconds. */
  listEndTimes(partition: number, queueIds: readonly string[]): Promise<Map<string, number>>
  /**
   * Texts of the entries at these offsets, in their order; null for one that the partition no longer stores. Returns fewer, but at
   * least one, if together they are longer than `maxLength` bytes.
   */
  payloads(
    partition: number,
    offsets: readonly number[],
    maxLength: number,
  ): Promise<readonly (string | null)[]>
  /** The live queues. Not a consistent snapshot, because clients poll meanwhile. */
  listQueueStatuses(partition: number): Promise<QueueStatus[]>
  /** The owner of a partition, its committed offset and the number of its queues. */
  describe(partition: number): Promise<{ owner: string | null; offset: number | null; queues: number }>
  /** Makes all replicas other than this one assign partitions at once. */
  publishHandover(replicaId: string): Promise<unknown>
  listReplicas(): Promise<string[]>
}

export interface CommitPoint {
  readonly token: string
  readonly expectedOffset: number
  readonly expectedCommits: number
  readonly offset: number
  readonly mark: string | null
  readonly positions: StreamPositions
}

export interface SweepResult {
  readonly queueIdsToClose: readonly string[]
  /** Whether there are more payloads to drop that are older than every queue's first event. */
  readonly hasOlder: boolean
  /** Whether there are more payloads to check between those that queues refer to. */
  readonly hasBetween: boolean
}

export interface AcknowledgeOptions {
  readonly queueId: string
  readonly userId: number
  readonly lastEventId: number
  /** As for polls. */
  readonly isLostCommitPossible: boolean
  /** Time that is added to the lifespan of a queue with a stream. */
  readonly graceSeconds: number
}

export interface PollOptions {
  readonly queueId: string
  readonly userId: number
  readonly lastEventId: number | undefined
  /** Reads the events after this one, without acknowledging it; null for all. */
  readonly afterId: number | null
  readonly isStream: boolean
  /**
   * Accepts an event ID beyond the committed offset: the commit that delivered the event may have been lost with Redis' last
   * second, after the client got the event.
   */
  readonly isLostCommitPossible: boolean
  /** Time that is added to the queue's lifespan. */
  readonly graceSeconds: number
  /** The replica where the poll will be pending, or '' if it doesn't wait. */
  readonly replicaId: string
  /** Number of the same poll when it read the queue before; null for the first time. */
  readonly pendingNumber: number | null
  readonly wantsRecord: boolean
  readonly limit: number
}
