import type { LogRecord } from '../log/entry.ts'

/**
 * Limits of pending records: more than arrive during usual pauses, few enough for every partition of a cluster's master that is
 * unavailable.
 */
const MAX_RECORDS = 20_000
const MAX_BYTES = 64 * 1024 ** 2

/**
 * The log records that a partition has yet to apply, in order and without gaps. Their number is limited, because a partition whose
 * Redis is unavailable is still offered the records that others apply. From the first record that doesn't fit, all are
 * skipped until reading resumes where the pending ones end.
 */
export class PendingRecords {
  #records: LogRecord[] = []
  #bytes = 0
  #newestOffset = -1
  #isCutOff = false

  get size(): number {
    return this.#records.length
  }

  get isCutOff(): boolean {
    return this.#isCutOff
  }

  /** Empties the list; the next record is one after this offset. */
  startAfter(offset: number): void {
    this.#records = []
    this.#bytes = 0
    this.#newestOffset = offset
    this.#isCutOff = false
  }

  /** Adds a record, unless it was added before: after a rewind the log is read a second time. */
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

  take(count: number): LogRecord[] {
    const taken = this.#records.splice(0, count)
    for (const { body } of taken) this.#bytes -= body.length
    return taken
  }

  putBack(records: readonly LogRecord[]): void {
    this.#records.unshift(...records)
    for (const { body } of records) this.#bytes += body.length
  }

  /** Accepts records again; the next must be the one after the newest. */
  resume(): void {
    this.#isCutOff = false
  }
}
