import type { LogRecord } from '../log/entry.ts'

/**
 * Bounds of what waits: more than comes in the pauses that are usual, little enough for every partition of a cluster's
 * master that is away.
 */
const MAX_RECORDS = 20_000
const MAX_BYTES = 64 * 1024 ** 2

/**
 * The log records that a partition is yet to apply, in order and without holes. They have bounds, since a partition whose
 * Redis is away goes on being offered what others apply: from the first that finds no room, all are left out until reading
 * begins again where these end.
 */
export class PendingRecords {
  #records: LogRecord[] = []
  #bytes = 0
  #newestOffset = -1
  #isCutOff = false

  get size(): number {
    return this.#records.length
  }

  /** Whether records after these were left out. */
  get isCutOff(): boolean {
    return this.#isCutOff
  }

  /** Begins anew, empty, after an offset. */
  startAfter(offset: number): void {
    this.#records = []
    this.#bytes = 0
    this.#newestOffset = offset
    this.#isCutOff = false
  }

  /** Adds a record, unless it was added before: after going back the log is read a second time. */
  add(record: LogRecord): void {
    if (this.#isCutOff || record.offset <= this.#newestOffset) return
    if (this.#records.length >= MAX_RECORDS || this.#bytes >= MAX_BYTES) {
      this.#isCutOff = true
      return
    }
    this.#records.push(record)
    this.#bytes += record.body.length
    this.#newestOffset = record.offset
  }

  /** Takes out up to so many of the oldest. */
  take(count: number): LogRecord[] {
    const taken = this.#records.splice(0, count)
    for (const { body } of taken) this.#bytes -= body.length
    return taken
  }

  /** Puts back what was taken last. */
  putBack(records: readonly LogRecord[]): void {
    this.#records.unshift(...records)
    for (const { body } of records) this.#bytes += body.length
  }

  /** From now on records are added again; the next is to be the one after the newest. */
  resume(): void {
    this.#isCutOff = false
  }
}
