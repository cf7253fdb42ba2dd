import type { LogEntry } from '@tms/contracts'
import type { LogRecord } from './entry.ts'

/** Bounds of what is kept: enough that polls and hand-offs find their entries in memory even after a burst. */
const MAX_RECORDS = 20_000
const MAX_BYTES = 64 * 1024 ** 2

/** What polls need of an entry, however long ago it was applied. */
export type KeptEntry = Pick<LogRecord, 'entry' | 'cache' | 'trace'>

/**
 * What this replica read last of the log: the latest stretch of it whole and without holes, for hand-offs, and of what came
 * before that only what polls may still ask for. Of very many queues that were opened nothing stays.
 */
export class RecentLog {
  readonly #reachesClients: (entry: LogEntry) => boolean
  #stretch: LogRecord[] = []
  /** Records before this index have been dropped; the array is cut now and then rather than each time. */
  #start = 0
  /** By offset, ascending; all are older than the stretch. */
  readonly #older = new Map<number, KeptEntry & { readonly bytes: number }>()
  #bytes = 0
  /** Offset of the record that follows; null where any may. */
  #next: number | null = null
  /** Offset of the newest record when `settle` was called last. */
  #settling = -1

  constructor(reachesClients: (entry: LogEntry) => boolean) {
    this.#reachesClients = reachesClients
  }

  /** Offset of the oldest record of the stretch, or null when there is none. */
  get firstOffset(): number | null {
    return this.#stretch[this.#start]?.offset ?? null
  }

  /** Offset of the newest record of the stretch. */
  get lastOffset(): number | null {
    return this.#start < this.#stretch.length ? (this.#stretch.at(-1)?.offset ?? null) : null
  }

  /** Adds the next record; one that doesn't follow the last makes the log begin anew there. */
  add(record: LogRecord): void {
    if (this.#next !== null && record.offset !== this.#next) this.clear()
    this.#next = record.offset + 1
    this.#stretch.push(record)
    this.#bytes += record.body.length
    while (this.#size > MAX_RECORDS || this.#bytes > MAX_BYTES) this.#dropOldest()
  }

  /** Ends the time of what was in the stretch at the last call: so long a hand-off finds there what it needs. */
  settle(): void {
    while ((this.firstOffset ?? Number.POSITIVE_INFINITY) <= this.#settling) {
      const { offset, entry, cache, trace = null, body } = this.#shift()
      if (entry && this.#reachesClients(entry)) {
        this.#older.set(offset, { entry, cache, trace, bytes: body.length })
        this.#bytes += body.length
      }
    }
    this.#settling = this.lastOffset ?? this.#settling
  }

  clear(): void {
    this.#stretch = []
    this.#start = 0
    this.#older.clear()
    this.#bytes = 0
    this.#next = null
    this.#settling = -1
  }

  get(offset: number): KeptEntry | undefined {
    const first = this.firstOffset
    return first === null || offset < first
      ? this.#older.get(offset)
      : this.#stretch[this.#start + offset - first]
  }

  /** The records after `offset` and before `end`, or null when some of them are no longer kept, or not read again yet. */
  between(offset: number, end: number): LogRecord[] | null {
    if (end <= offset + 1) return []
    const [first, last] = [this.firstOffset, this.lastOffset]
    if (first === null || last === null || offset + 1 < first || end - 1 > last) return null
    const from = this.#start + offset + 1 - first
    return this.#stretch.slice(from, from + end - offset - 1)
  }

  get #size(): number {
    return this.#older.size + this.#stretch.length - this.#start
  }

  #dropOldest(): void {
    for (const [offset, { bytes }] of this.#older) {
      this.#older.delete(offset)
      this.#bytes -= bytes
      return
    }
    this.#shift()
  }

  /** Takes the oldest record out of the stretch, which has one. */
  #shift(): LogRecord {
    const record = this.#stretch[this.#start++] as LogRecord
    this.#bytes -= record.body.length
    if (this.#start * 2 > this.#stretch.length) {
      this.#stretch = this.#stretch.slice(this.#start)
      this.#start = 0
    }
    return record
  }
}
