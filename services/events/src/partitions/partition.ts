import type { Logger } from '@tms/service-kit'
import type { LogRecord, StreamPositions } from '../log/entry.ts'
import type { LogFeed } from '../log/log-feed.ts'
import { type KnownPlace, markOfRecord } from '../log/same-log.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import { startCommitSpans, weightOf } from '../tracing/commit-spans.ts'
import { applyRecord, replayFrom } from './apply.ts'
import { type ApplyContext, type Changes, closeQueue, isEmpty, MAX_BATCH, noChanges } from './changes.ts'
import { partitionOf } from './partition-of.ts'
import { QueueIndex } from './queue-index.ts'
import { createQueueState, type QueueState } from './queue-state.ts'

/** Deliveries after which a batch is cut, since a large channel makes each entry heavy. */
const MAX_DELIVERIES = 20_000
/** Offsets that brought nothing are written this often; a crash applies them again, to no effect. */
const IDLE_COMMIT_MS = 1_000
const RETRY_MS = 200

interface PartitionOptions {
  readonly partition: number
  readonly partitionCount: number
  readonly token: string
  readonly store: PartitionStore
  readonly feed: LogFeed
  readonly log: Logger
  /** Called once when this replica must stop owning the partition: another has taken it, or Redis went back. */
  readonly onLost: (reason: 'fenced' | 'moved') => void
  readonly onCommitted: (changes: Changes, entries: number) => void
}

/**
 * One owned partition: applies the log to its queues in memory and commits batch after batch, each with the
 * offset that it ends at. While a commit is under way the next entries gather, so batches grow with load.
 */
export class Partition {
  readonly partition: number
  readonly token: string
  readonly #options: PartitionOptions
  readonly #queues = new QueueIndex()
  #pending: LogRecord[] = []
  /** Queues to close that ran out, with the next commit. */
  #doomed: string[] = []
  /** Newest offset taken into `pending`, so that what is read a second time is dropped. */
  #offeredOffset = -1
  #appliedOffset = -1
  #committedOffset = -1
  /** The newest record applied; null until there was one. */
  #applied: LogRecord | null = null
  #committedMark: string | null = null
  #positions: StreamPositions = {}
  #committedAt = 0
  #working: Promise<void> | null = null
  #isStopped = false
  /** Another owns the partition, or memory and Redis are out of step: nothing may be written any more. */
  #isLost = false
  /** What was applied last brought something that is not written yet, or of which no answer has said so. */
  #isAhead = false

  constructor(options: PartitionOptions) {
    this.partition = options.partition
    this.token = options.token
    this.#options = options
  }

  get committedOffset(): number {
    return this.#committedOffset
  }

  /** Where the log is to be read on, and how it is known again. */
  get committed(): KnownPlace {
    return { offset: this.#committedOffset, mark: this.#committedMark }
  }

  get positions(): StreamPositions {
    return this.#positions
  }

  get queueCount(): number {
    return this.#queues.size
  }

  /** Takes over what is stored. Returns the log offset to go on from, or null for a partition without state. */
  async load(): Promise<number | null> {
    const stored = await this.#options.store.load(this.partition)
    for (const { record, channelIds, seenUserIds } of stored.queues) {
      this.#queues.add(createQueueState(record, channelIds, seenUserIds))
    }
    this.#positions = stored.positions
    this.#standAt(stored.offset ?? -1, stored.mark)
    return stored.offset
  }

  /** Empties the partition and puts it at a log offset. Returns false when fenced. */
  async reset(offset: number, positions: StreamPositions): Promise<boolean> {
    this.#standAt(offset, null)
    this.#positions = positions
    return this.#options.store.reset(this.partition, this.token, offset, positions)
  }

  /** Takes the next log records; those that the state has already are dropped. */
  offer(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.offset <= this.#offeredOffset) continue
      this.#pending.push(record)
      this.#offeredOffset = record.offset
    }
    this.#work()
  }

  /** Writes the offset of entries that brought nothing, if that is due and nothing else will. */
  flush(): void {
    if (this.#appliedOffset > this.#committedOffset && !this.#working) this.#work()
  }

  /** The queues of each user who has more than so many here, which are all that the user has. */
  crowds(limit: number): readonly QueueState[][] {
    return this.#queues.crowds(limit)
  }

  /** Closes queues that ran out, grew too long or are too many. */
  expire(queueIds: readonly string[]): void {
    this.#doomed.push(...queueIds)
    this.#work()
  }

  /** Stops applying and waits for the commit under way; offsets that brought nothing are written too. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#working
    // An offset that passed over what was not written would take it from the next owner, who goes on from there.
    if (!this.#isLost && !this.#isAhead && this.#appliedOffset > this.#committedOffset)
      await this.#commit(noChanges(), 0).catch(() => {})
  }

  #standAt(offset: number, mark: string | null): void {
    this.#committedMark = mark
    this.#offeredOffset = offset
    this.#appliedOffset = offset
    this.#committedOffset = offset
  }

  #lose(reason: 'fenced' | 'moved'): void {
    if (this.#isLost) return
    this.#isStopped = true
    this.#isLost = true
    this.#options.onLost(reason)
  }

  #work(): void {
    if (this.#working || this.#isStopped) return
    this.#working = this.#run()
      .catch((err: unknown) => {
        // Memory may be ahead of Redis by half a batch: only loading afresh puts them together again.
        this.#options.log.error({ err, partition: this.partition }, 'log entries could not be applied')
        this.#lose('moved')
      })
      .finally(() => {
        this.#working = null
        if (this.#pending.length > 0) this.#work()
      })
  }

  async #run(): Promise<void> {
    do {
      const batch = this.#pending.splice(0, MAX_BATCH)
      const changes = await this.#apply(batch)
      const isDue = Date.now() - this.#committedAt >= IDLE_COMMIT_MS
      if (isEmpty(changes) && !isDue) continue
      if (this.#appliedOffset === this.#committedOffset && isEmpty(changes)) continue
      if (!(await this.#commit(changes, batch.length))) return
    } while (!this.#isStopped && (this.#pending.length > 0 || this.#doomed.length > 0))
  }

  async #apply(batch: readonly LogRecord[]): Promise<Changes> {
    const { partitionCount, feed } = this.#options
    const changes = noChanges()
    const context: ApplyContext = {
      queues: this.#queues,
      changes,
      isOurs: (userId) => partitionOf(userId, partitionCount) === this.partition,
    }
    for (const [index, record] of batch.entries()) {
      const since = replayFrom(record, context)
      const earlier =
        since === null
          ? []
          : (feed.recent.between(since.offset, record.offset) ??
            (await feed.readRange(since.offset, record.offset, since.positions)))
      const before = record.trace ? weightOf(changes) : 0
      applyRecord(record, context, earlier)
      if (record.trace && weightOf(changes) !== before) changes.traced.push(record)
      this.#appliedOffset = record.offset
      this.#applied = record
      this.#positions = record.positions
      if (changes.deliveryCount > MAX_DELIVERIES) {
        this.#pending.unshift(...batch.slice(index + 1))
        break
      }
    }
    for (const queueId of this.#doomed.splice(0)) closeQueue(queueId, context)
    return changes
  }

  /** Writes until it is done, fenced or out of step; a Redis that is away is waited for. */
  async #commit(changes: Changes, entries: number): Promise<boolean> {
    const at = {
      token: this.token,
      expectedOffset: this.#committedOffset,
      offset: this.#appliedOffset,
      mark: this.#applied ? markOfRecord(this.#applied) : this.#committedMark,
      positions: this.#positions,
    }
    const { partition } = this
    this.#isAhead ||= !isEmpty(changes)
    const spans =
      changes.traced.length === 0 ? null : startCommitSpans(changes.traced, { partition, changes, entries })
    for (let attempt = 0; ; attempt++) {
      try {
        const outcome = await this.#options.store.commit(partition, at, changes, spans?.traceparents)
        spans?.end(outcome === 'done' ? undefined : outcome)
        if (outcome === 'done') {
          this.#committedOffset = at.offset
          this.#committedMark = at.mark
          this.#committedAt = Date.now()
          this.#isAhead = false
          this.#options.onCommitted(changes, entries)
          return true
        }
        // After a lost answer 'moved' may also mean that this commit happened; loading afresh is right for both.
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
