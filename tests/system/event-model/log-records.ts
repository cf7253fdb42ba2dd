import type { LogEntry } from '@tms/contracts'
import type { EmptySystem } from '@tms/test-kit'
import { followLog } from '../support/follow-log.ts'

/** An entry that counts, with its offset. */
export interface LogRecord {
  readonly offset: number
  readonly entry: LogEntry
  /** When it was read, by `performance.now()`. */
  readonly readAt: number
}

/** The log without repeated entries, and without entries ahead of their stream. */
export interface LogRecords {
  /** In order, since the last `clear`. */
  readonly records: readonly LogRecord[]
  /** Drops the records; the sequence numbers of streams remain. */
  clear(): void
  close(): Promise<void>
}

/** Reads the log from its beginning, and follows it. */
export async function readLogRecords(product: Pick<EmptySystem, 'servers' | 'system'>): Promise<LogRecords> {
  const lastSeqs = new Map<string, number>()
  const records: LogRecord[] = []
  const following = await followLog(product, (entry, offset) => {
    const { stream, seq } = entry
    // Entries outside of transactions have no sequence number.
    if (seq > 0 && seq !== (lastSeqs.get(stream) ?? 0) + 1) return
    if (seq > 0) lastSeqs.set(stream, seq)
    records.push({ offset, entry, readAt: performance.now() })
  })
  return {
    records,
    clear: () => {
      records.length = 0
    },
    close: () => following.close(),
  }
}
