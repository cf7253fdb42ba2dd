import type { LogEntry } from '@tms/contracts'
import type { EntryTrace } from '../tracing/entry-trace.ts'

/** The last place taken of each stream in the log, up to and including some offset. */
export type StreamPositions = Readonly<Record<string, number>>

/**
 * A log entry as this replica read it. `entry` is null where it is to be passed over: published again by a
 * relay, or ahead of its stream. The verdict depends on the log alone, so every replica reaches the same.
 */
export interface LogRecord {
  readonly offset: number
  readonly entry: LogEntry | null
  /** The entry's text, as it goes into a partition's payloads. */
  readonly body: string
  readonly positions: StreamPositions
  /** Derived values that rendering keeps, so that many queues share one serialization. */
  readonly cache: Map<string, unknown>
  /** The recorded trace that it is part of. */
  readonly trace?: EntryTrace | null
}
