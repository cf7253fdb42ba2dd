import type { LogEntry } from '@tms/contracts'
import { judgeSequence, type RawEntry } from '@tms/service-kit'
import type { LogRecord, StreamPositions } from './entry.ts'
import { entryTraceOf } from './entry-trace.ts'

/** The sequence numbers missing between the last entry of its stream and this one, which is applied nevertheless; or null. */
export function missingBefore(
  { entry }: Pick<LogRecord, 'entry'>,
  positions: StreamPositions,
): { stream: string; first: number; last: number } | null {
  const before = entry ? positions[entry.stream] : undefined
  if (!entry || before === undefined || entry.seq <= before + 1) return null
  return { stream: entry.stream, first: before + 1, last: entry.seq - 1 }
}

/**
 * Parses a log entry and checks its sequence number against the positions of the streams before it. The result has the positions
 * after it. Entries without a sequence number are applied as they arrive: applying one twice does no harm.
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
