import type { Logger } from '@tms/service-kit'
import { applyLogRecord, handoffRangeOf } from '../delivery/apply.ts'
import {
  type ApplyContext,
  type Changes,
  closeQueue,
  countChanges,
  createChanges,
  isEmpty,
  MAX_BATCH,
} from '../delivery/changes.ts'
import { QueueIndex } from '../delivery/queue-index.ts'
import { createQueueState, type QueueState } from '../kernel/queue-state.ts'
import type { LogRecord, StreamPositions } from '../log/entry.ts'
import type { LogTail } from '../log/log-tail.ts'
import { type KnownOffset, markOfRecord } from '../log/same-log.ts'
import type { CommitOutcome, PartitionStore } from '../redis/partition-store.ts'
import { startCommitSpans } from './commit-spans.ts'
import { partitionOf } from './partition-of.ts'
import { PendingRecords } from './pending-records.ts'
import { readHandoffRange } from './read-handoff-range.ts'

/** Deliveries after which a batch is cut, since a large channel makes each entry heavy. */
const MAX_DELIVERIES = 20_000
/** Interval of commits that only advance the offset. After a crash such entries are applied again, without effect. */
const IDLE_COMMIT_MS = 1_000
const RETRY_MS = 200

/** `apply_failed`: memory may be ahead of Redis by part of a batch; loading the partition again brings them into step. */
export type LossReason = Exclude<CommitOutcome, 'done'> | 'apply_failed'

interface PartitionOptions {
  readonly number: number
  readonly partitionCount: number
  readonly token: string
  readonly store: PartitionStore
  readonly logTail: LogTail
  readonly log: Logger
  /** Called once when this replica must stop owning the partition. */
  readonly onLost: (reason: LossReason) => void
  readonly onCommitted: (changes: Changes, entries: number) => void
  /** Called when all pending records are committed: offers the skipped ones after them again. */
  readonly rereadSkipped: () => void
}

/**
 * One owned partition: applies the log to its queues in memory and commits batch after batch, each with its last offset. Entries
 * that arrive during a commit form the next batch, so batches grow with load.
 */
export class Partition {
  readonly number: number
  readonly token: string
  readonly #options: PartitionOptions
  readonly #queues = new QueueIndex()
  readonly #pending = new PendingRecords()
  readonly #toClose = new Set<string>()
  #appliedOffset = -1
  #committedOffset = -1
  /** Number of commits to the partition by all its owners. */
  #commits = 0
  /** The record at `#appliedOffset`; null until this replica applies one. */
  #lastApplied: LogRecord | null = null
  /** Digest of the entry at `#committedOffset`; null if it isn't known. */
  #committedMark: string | null = null
  #positions: StreamPositions = {}
  #committedAt = 0
  #working: Promise<void> | null = null
  #isStopped = false
  /** Another replica owns the partition, or memory and Redis are out of step: nothing may be written any more. */
  #isLost = false
  /** The applied records include changes that aren't written yet, or whose commit has got no answer. */
  #hasUncommittedChanges = false

  constructor(options: PartitionOptions) {
    this.number = options.number
    this.token = options.token
    this.#options = options
  }

  get committedOffset(): number {
    return this.#committedOffset
  }

  /** Number of commits; a Redis with fewer has lost some. */
  get commits(): number {
    return this.#commits
  }

  /** Committed offset, after which reading resumes, and the mark of the entry there, which shows whether the log is the same. */
  get committed(): KnownOffset {
    return { offset: this.#committedOffset, mark: this.#committedMark }
  }

  get positions(): StreamPositions {
    return this.#positions
  }

  get queueCount(): number {
    return this.#queues.size
  }

  /** Loads the stored state. Returns the log offset to resume from, or null for a partition without state. */
  async load(): Promise<number | null> {
    const stored = await this.#options.store.load(this.number)
    const { shared } = this.#queues
    for (const { record, channelIds, visibleUserIds } of stored.queues) {
      this.#queues.add(createQueueState(record, { shared, channelIds, visibleUserIds }))
    }
    this.#positions = stored.positions
    this.#commits = stored.commits
    this.#setOffset(stored.offset ?? -1, stored.mark)
    return stored.offset
  }

  /** Empties the partition and sets its log offset. Returns false when fenced. */
  async reset(offset: number, positions: StreamPositions): Promise<boolean> {
    this.#setOffset(offset, null)
    this.#positions = positions
    const isReset = await this.#options.store.reset(this.number, this.token, offset, positions)
    if (isReset) this.#commits++
    return isReset
  }

  /**
   * Receives the next log records. Ignores those that were applied already, and those that don't fit while commits fail;
   * `rereadSkipped` offers the latter again.
   */
  offer(records: readonly LogRecord[]): void {
    for (const record of records) this.#pending.add(record)
    this.#work()
  }

  /** Commits the offset of entries without changes if that is due and no commit is running. */
  flush(): void {
    if (this.#appliedOffset > this.#committedOffset && !this.#working) this.#work()
  }

  /** The queues of each user with more than `limit` of them. A user's queues are all in one partition. */
  listQueuesOverLimit(limit: number): readonly (readonly QueueState[])[] {
    return this.#queues.listQueuesOverLimit(limit)
  }

  /**
   * Closes queues that `findQueuesToClose` has found, including remains of queues that were deleted before this replica
   * acquired the partition.
   */
  closeQueues(queueIds: readonly string[]): void {
    for (const queueId of queueIds) this.#toClose.add(queueId)
    this.#work()
  }

  /** Stops applying, waits for the running commit, and commits the offset of entries without changes. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#working
    // An offset beyond uncommitted changes would make the next owner skip them.
    if (!this.#isLost && !this.#hasUncommittedChanges && this.#appliedOffset > this.#committedOffset)
      await this.#commit(createChanges(), 0).catch(() => {})
  }

  #setOffset(offset: number, mark: string | null): void {
    this.#committedMark = mark
    this.#pending.startAfter(offset)
    this.#appliedOffset = offset
    this.#committedOffset = offset
  }

  #lose(reason: LossReason): void {
    if (this.#isLost) return
    this.#isStopped = true
    this.#isLost = true
    this.#options.onLost(reason)
  }

  #work(): void {
    if (this.#working || this.#isStopped) return
    this.#working = this.#run()
      .catch((err: unknown) => {
        this.#options.log.error({ err, partition: this.number }, 'log entries could not be applied')
        this.#lose('apply_failed')
      })
      .finally(() => {
        this.#working = null
        if (this.#pending.size > 0 || this.#toClose.size > 0) this.#work()
      })
  }

  async #run(): Promise<void> {
    do {
      const batch = this.#pending.take(MAX_BATCH)
      const changes = await this.#apply(batch)
      const shouldReread = this.#pending.isCutOff && this.#pending.size === 0
      const isDue = shouldReread || Date.now() - this.#committedAt >= IDLE_COMMIT_MS
      const hasMoved = this.#appliedOffset !== this.#committedOffset
      if (!isEmpty(changes) || (isDue && hasMoved)) {
        if (!(await this.#commit(changes, batch.length))) return
      }
      if (shouldReread && !this.#isStopped) {
        this.#pending.resume()
        this.#options.rereadSkipped()
      }
    } while (!this.#isStopped && (this.#pending.size > 0 || this.#toClose.size > 0))
  }

  async #apply(batch: readonly LogRecord[]): Promise<Changes> {
    const { partitionCount, logTail, log } = this.#options
    const reading = { partition: this.number, logTail, log }
    const changes = createChanges()
    const context: ApplyContext = {
      queues: this.#queues,
      changes,
      isOurs: (userId) => partitionOf(userId, partitionCount) === this.number,
    }
    for (const [index, record] of batch.entries()) {
      const range = handoffRangeOf(record, context)
      // Changes that are ready to commit don't wait for the broker.
      const mayWait = isEmpty(changes) ? () => !this.#isStopped : () => false
      const earlier = range ? await readHandoffRange(range, record.offset, { ...reading, mayWait }) : []
      if (!earlier) {
        this.#pending.putBack(batch.slice(index))
        break
      }
      const before = record.trace ? countChanges(changes) : 0
      applyLogRecord(record, context, earlier)
      if (record.trace && countChanges(changes) !== before) changes.traced.push(record)
      this.#appliedOffset = record.offset
      this.#lastApplied = record
      this.#positions = record.positions
      if (changes.deliveryCount > MAX_DELIVERIES) {
        this.#pending.putBack(batch.slice(index + 1))
        break
      }
    }
    for (const queueId of this.#toClose) {
      if (this.#queues.get(queueId)) closeQueue(queueId, context)
      else if (!changes.closed.includes(queueId)) changes.closed.push(queueId)
    }
    this.#toClose.clear()
    return changes
  }

  /** Retries until the commit is done, fenced or has diverged; waits while Redis is unavailable. */
  async #commit(changes: Changes, entries: number): Promise<boolean> {
    const at = {
      token: this.token,
      expectedOffset: this.#committedOffset,
      expectedCommits: this.#commits,
      offset: this.#appliedOffset,
      mark: this.#lastApplied ? markOfRecord(this.#lastApplied) : this.#committedMark,
      positions: this.#positions,
    }
    const partition = this.number
    this.#hasUncommittedChanges ||= !isEmpty(changes)
    const spans =
      changes.traced.length === 0 ? null : startCommitSpans(changes.traced, { partition, changes, entries })
    for (let attempt = 0; ; attempt++) {
      try {
        const outcome = await this.#options.store.commit(partition, at, changes, spans?.traceparents)
        spans?.end(outcome === 'done' ? undefined : outcome)
        if (outcome === 'done') {
          this.#commits++
          this.#committedOffset = at.offset
          this.#committedMark = at.mark
          this.#committedAt = Date.now()
          this.#hasUncommittedChanges = false
          this.#options.onCommitted(changes, entries)
          return true
        }
        this.#lose(outcome)
        return false
      } catch (err) {
        if (attempt === 0) this.#options.log.warn({ err, partition }, 'commit failed, will be retried')
        if (this.#isStopped) {
          spans?.end('stopped')
          return false
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
}
