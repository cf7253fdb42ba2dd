import type { LogEntry } from '@tms/contracts'
import type { LogRecord } from './entry.ts'

/** Limits of the cache: large enough that polls and snapshot hand-offs find their entries in memory even after a burst. */
const MAX_RECORDS = 20_000
const MAX_BYTES = 64 * 1024 ** 2

/** The part of an entry that polls need, however long ago it was applied. */
export type CachedEntry = Pick<LogRecord, 'entry' | 'cache' | 'trace'>

/**
 * Cache of the newest log entries: the latest range complete, for snapshot hand-offs, and of older entries only those that
 * polls may still need. Entries that opened queues don't stay, even if there are very many.
 */
export class RecentLog {
  readonly #canReachClients: (entry: LogEntry) => boolean
  #range: LogRecord[] = []
  /** Index of the oldest record in `#range`; the array is cut now and then rather than for each dropped record. */
  #start = 0
  /** By offset, ascending; all are older than the complete range. */
  readonly #older = new Map<number, CachedEntry & { readonly bytes: number }>()
  #bytes = 0
  /** Offset that the next record must have; null if it may have any. */
  #next: number | null = null
  /** Offset of the newest record at the last call of `compact`. */
  #compactUpTo = -1

  constructor(canReachClients: (entry: LogEntry) => boolean) {
    this.#canReachClients = canReachClients
  }

  get firstOffset(): number | null {
    return this.#range[this.#start]?.offset ?? null
  }

  get lastOffset(): number | null {
    return this.#start < this.#range.length ? (this.#range.at(-1)?.offset ?? null) : null
  }

  /** Adds the next record. If it doesn't follow the last one, the cache is cleared first. */
  add(record: LogRecord): void {
    if (this.#next !== null && record.offset !== this.#next) this.clear()
    this.#next = record.offset + 1
    this.#range.push(record)
    this.#bytes += record.body.length
    while (this.#size > MAX_RECORDS || this.#bytes > MAX_BYTES) this.#dropOldest()
  }

  /** Removes records that were in the complete range at the last call, except those that polls may need. */
  compact(): void {
    while ((this.firstOffset ?? Number.POSITIVE_INFINITY) <= this.#compactUpTo) {
      const { offset, entry, cache, trace = null, body } = this.#shift()
      if (entry && this.#canReachClients(entry)) {
        this.#older.set(offset, { entry, cache, trace, bytes: body.length })
        this.#bytes += body.length
      }
    }
    this.#compactUpTo = this.lastOffset ?? this.#compactUpTo
  }

  clear(): void {
    this.#range = []
    this.#start = 0
    this.#older.clear()
    this.#bytes = 0
    this.#next = null
    this.#compactUpTo = -1
  }

  get(offset: number): CachedEntry | undefined {
    const first = this.firstOffset
    return first === null || offset < first
      ? this.#older.get(offset)
      : this.#range[this.#start + offset - first]
  }

  /** The records after `offset` and before `end`, or null if some are no longer cached or not read again yet. */
  between(offset: number, end: number): LogRecord[] | null {
    if (end <= offset + 1) return []
    const [first, last] = [this.firstOffset, this.lastOffset]
    if (first === null || last === null || offset + 1 < first || end - 1 > last) return null
    const from = this.#start + offset + 1 - first
    return this.#range.slice(from, from + end - offset - 1)
  }

  get #size(): number {
    return this.#older.size + this.#range.length - this.#start
  }

  #dropOldest(): void {
    for (const [offset, { bytes }] of this.#older) {
      this.#older.delete(offset)
      this.#bytes -= bytes
      return
    }
    this.#shift()
  }

  #shift(): LogRecord {
    const record = this.#range[this.#start++] as LogRecord
    this.#bytes -= record.body.length
    if (this.#start * 2 > this.#range.length) {
      this.#range = this.#range.slice(this.#start)
      this.#start = 0
    }
    return record
  }
}
