import type { LogRecord } from './entry.ts'

/** Bounds of what is kept: enough that polls and hand-offs find their entries in memory even after a burst. */
const MAX_RECORDS = 20_000
const MAX_BYTES = 64 * 1024 ** 2

/** The latest stretch of the log that this replica read, without holes. */
export class RecentLog {
  #records: LogRecord[] = []
  /** Records before this index have been dropped; the array is cut now and then rather than each time. */
  #start = 0
  #bytes = 0

  /** Offset of the oldest record kept, or null when there is none. */
  get firstOffset(): number | null {
    return this.#records[this.#start]?.offset ?? null
  }

  /** Offset of the newest record. */
  get lastOffset(): number | null {
    return this.#start < this.#records.length ? (this.#records.at(-1)?.offset ?? null) : null
  }

  /** Adds the next record; one that doesn't follow the last makes the log begin anew there. */
  add(record: LogRecord): void {
    const last = this.lastOffset
    if (last !== null && record.offset !== last + 1) this.clear()
    this.#records.push(record)
    this.#bytes += record.body.length
    while (this.#records.length - this.#start > MAX_RECORDS || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#records[this.#start]?.body.length ?? 0
      this.#start++
    }
    if (this.#start > MAX_RECORDS) {
      this.#records = this.#records.slice(this.#start)
      this.#start = 0
    }
  }

  clear(): void {
    this.#records = []
    this.#start = 0
    this.#bytes = 0
  }

  get(offset: number): LogRecord | undefined {
    const first = this.firstOffset
    return first === null || offset < first ? undefined : this.#records[this.#start + offset - first]
  }

  /** The records after `offset` and before `end`, or null when some of them are no longer kept, or not read again yet. */
  between(offset: number, end: number): LogRecord[] | null {
    if (end <= offset + 1) return []
    const [first, last] = [this.firstOffset, this.lastOffset]
    if (first === null || last === null || offset + 1 < first || end - 1 > last) return null
    const from = this.#start + offset + 1 - first
    return this.#records.slice(from, from + end - offset - 1)
  }
}
