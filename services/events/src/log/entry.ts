import type { LogEntry } from '@tms/contracts'
import type { EntryTrace } from './entry-trace.ts'

/** The last sequence number of each stream, up to and including some offset of the log. */
export type StreamPositions = Readonly<Record<string, number>>

/**
 * A log entry as this replica read it. `entry` is null if it must be skipped: a relay published it again, or it is ahead of its
 * stream. That depends on the log alone, so every replica decides alike.
 */
export interface LogRecord {
  readonly offset: number
  readonly entry: LogEntry | null
  /** The entry's text, as stored in a partition's payloads. */
  readonly body: string
  readonly positions: StreamPositions
  /** Derived values of rendering, so that many queues share one serialization. */
  readonly cache: Map<string, unknown>
  readonly trace?: EntryTrace | null
}
