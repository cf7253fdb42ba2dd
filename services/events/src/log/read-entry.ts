import type { LogEntry } from '@tms/contracts'
import { judgeSequence, type RawEntry } from '@tms/service-kit'
import { entryTraceOf } from '../tracing/entry-trace.ts'
import type { LogRecord, StreamPositions } from './entry.ts'

/** The places between the last entry of its stream and this one, which is taken all the same; null where there are none. */
export function missingBefore(
  { entry }: Pick<LogRecord, 'entry'>,
  positions: StreamPositions,
): { stream: string; first: number; last: number } | null {
  const before = entry ? positions[entry.stream] : undefined
  if (!entry || before === undefined || entry.seq <= before + 1) return null
  return { stream: entry.stream, first: before + 1, last: entry.seq - 1 }
}

/**
 * A log entry with the verdict on its place, given where the streams stood before it; `positions` of the
 * result is where they stand after it. Entries without a place are taken as they come: applying one twice
 * does no harm.
 */
export function readEntry(
  { offset, body, traceparent, confirmed }: RawEntry,
  positions: StreamPositions,
  onGap: (entry: LogEntry) => void = () => {},
): LogRecord {
  const entry = JSON.parse(body) as LogEntry
  const cache = new Map<string, unknown>()
  const trace = entryTraceOf(traceparent)
  if (entry.seq === 0) return { offset, entry, body, positions, cache, trace }
  const verdict = judgeSequence(positions[entry.stream], entry.seq, confirmed)
  if (verdict === 'gap') onGap(entry)
  if (verdict !== 'take') return { offset, entry: null, body, positions, cache }
  return { offset, entry, body, positions: { ...positions, [entry.stream]: entry.seq }, cache, trace }
}
