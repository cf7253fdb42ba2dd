import type { Logger } from '@tms/service-kit'
import type { LogRecord, StreamPositions } from '../log/entry.ts'
import type { LogTail } from '../log/log-tail.ts'
import { type KnownOffset, markOfRecord } from '../log/same-log.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import { startCommitSpans, weightOf } from '../tracing/commit-spans.ts'
import { applyRecord, type Replay, replayOf } from './apply.ts'
import { type ApplyContext, type Changes, closeQueue, isEmpty, MAX_BATCH, noChanges } from './changes.ts'
import { partitionOf } from './partition-of.ts'
import { PendingRecords } from './pending-records.ts'
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
  readonly feed: LogTail
  readonly log: Logger
  /** Called once when this replica must stop owning the partition: another has taken it, or Redis went back. */
  readonly onLost: (reason: 'fenced' | 'moved') => void
  readonly onCommitted: (changes: Changes, entries: number) => void
  /** Called when all is committed that there was room for, and what came after it is to be offered again. */
  readonly onCaughtUp: () => void
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
  readonly #pending = new PendingRecords()
  /** Queues to close that ran out, with the next commit. */
  readonly #doomed = new Set<string>()
  #appliedOffset = -1
  #committedOffset = -1
  /** How often something was committed to the partition, by whomever. */
  #commits = 0
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

  /** How often something was committed; a Redis that says fewer has gone back. */
  get commits(): number {
    return this.#commits
  }

  /** Where the log is to be read on, and how it is known again. */
  get committed(): KnownOffset {
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
    for (const { record, channelIds, visibleUserIds } of stored.queues) {
      this.#queues.add(createQueueState(record, channelIds, visibleUserIds))
    }
    this.#positions = stored.positions
    this.#commits = stored.commits
    this.#standAt(stored.offset ?? -1, stored.mark)
    return stored.offset
  }

  /** Empties the partition and puts it at a log offset. Returns false when fenced. */
  async reset(offset: number, positions: StreamPositions): Promise<boolean> {
    this.#standAt(offset, null)
    this.#positions = positions
    const isReset = await this.#options.store.reset(this.partition, this.token, offset, positions)
    if (isReset) this.#commits++
    return isReset
  }

  /**
   * Takes the next log records; those that the state has already are dropped, and those that there is no room for while
   * commits fail: they are asked for again.
   */
  offer(records: readonly LogRecord[]): void {
    for (const record of records) this.#pending.add(record)
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

  /**
   * Closes queues that ran out, grew too long or are too many. Also those that aren't known here: what is left of a queue
   * that was deleted before this replica took the partition.
   */
  expire(queueIds: readonly string[]): void {
    for (const queueId of queueIds) this.#doomed.add(queueId)
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
    this.#pending.startAfter(offset)
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
        if (this.#pending.size > 0 || this.#doomed.size > 0) this.#work()
      })
  }

  async #run(): Promise<void> {
    do {
      const batch = this.#pending.take(MAX_BATCH)
      const changes = await this.#apply(batch)
      const isCaughtUp = this.#pending.isCutOff && this.#pending.size === 0
      const isDue = isCaughtUp || Date.now() - this.#committedAt >= IDLE_COMMIT_MS
      const hasMoved = this.#appliedOffset !== this.#committedOffset
      if (!isEmpty(changes) || (isDue && hasMoved)) {
        if (!(await this.#commit(changes, batch.length))) return
      }
      if (isCaughtUp && !this.#isStopped) {
        this.#pending.resume()
        this.#options.onCaughtUp()
      }
    } while (!this.#isStopped && (this.#pending.size > 0 || this.#doomed.size > 0))
  }

  async #apply(batch: readonly LogRecord[]): Promise<Changes> {
    const { partitionCount } = this.#options
    const changes = noChanges()
    const context: ApplyContext = {
      queues: this.#queues,
      changes,
      isOurs: (userId) => partitionOf(userId, partitionCount) === this.partition,
    }
    for (const [index, record] of batch.entries()) {
      const replay = replayOf(record, context)
      // What is to be told already doesn't wait for the broker.
      const earlier = replay ? await this.#earlier(replay, record.offset, isEmpty(changes)) : []
      if (!earlier) {
        this.#pending.putBack(batch.slice(index))
        break
      }
      const before = record.trace ? weightOf(changes) : 0
      applyRecord(record, context, earlier)
      if (record.trace && weightOf(changes) !== before) changes.traced.push(record)
      this.#appliedOffset = record.offset
      this.#applied = record
      this.#positions = record.positions
      if (changes.deliveryCount > MAX_DELIVERIES) {
        this.#pending.putBack(batch.slice(index + 1))
        break
      }
    }
    for (const queueId of this.#doomed) {
      if (this.#queues.get(queueId)) closeQueue(queueId, context)
      else if (!changes.closed.includes(queueId)) changes.closed.push(queueId)
    }
    this.#doomed.clear()
    return changes
  }

  /**
   * What is to be applied again of what comes before `end`. Where the broker has to be asked, which may be away, null unless
   * there is time for it, and when the partition is stopped meanwhile.
   */
  async #earlier(
    { offset, positions, concerns }: Replay,
    end: number,
    hasTime: boolean,
  ): Promise<LogRecord[] | null> {
    const { feed, log } = this.#options
    const recent = feed.recent.between(offset, end)
    if (recent) return recent.filter(concerns)
    while (hasTime && !this.#isStopped) {
      try {
        return await feed.readRange(offset, end, positions, concerns)
      } catch (err) {
        log.warn({ err, partition: this.partition }, 'the log could not be read again, will be retried')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    return null
  }

  /** Writes until it is done, fenced or out of step; a Redis that is away is waited for. */
  async #commit(changes: Changes, entries: number): Promise<boolean> {
    const at = {
      token: this.token,
      expectedOffset: this.#committedOffset,
      expectedCommits: this.#commits,
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
          this.#commits++
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
