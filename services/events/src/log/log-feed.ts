import { randomUUID } from 'node:crypto'
import { domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import {
  type Broker,
  createLogReader,
  judgeSequence,
  type Logger,
  type Publisher,
  type RawEntry,
} from '@tms/service-kit'
import type { LogRecord, StreamPositions } from './entry.ts'
import { RecentLog } from './recent-log.ts'
import { writeControlEvent } from './write-control-event.ts'

/** The one reading of the log in this replica, whatever number of partitions it owns. */
export interface LogFeed {
  readonly recent: RecentLog
  /** Offset of the newest entry read; null before the end of the log was found. */
  readonly head: () => number | null
  /** Where the streams stood at the newest entry read. */
  readonly positions: () => StreamPositions
  /**
   * Whether reading began where a partition's state said how the streams stood. Before that, an entry that
   * is there twice can't be told from a new one.
   */
  readonly isAnchored: () => boolean
  /** Reads up to the present end of the log and returns its offset. */
  findEnd(): Promise<number>
  /** Goes back to just after `offset`, where the streams stood at `positions`. */
  rewind(offset: number, positions: StreamPositions): void
  /** Reads the stretch after `offset` and before `end` from the broker, for what is no longer in memory. */
  readRange(offset: number, end: number): Promise<LogRecord[]>
  check(): Promise<void>
  close(): Promise<void>
}

interface LogFeedOptions {
  readonly broker: Broker
  readonly queue: string
  readonly publisher: Publisher
  readonly log: Logger
  readonly onRecord: (record: LogRecord) => void | Promise<void>
  /** The log ends before what was read of it: it was lost and began anew. `end` is its newest offset. */
  readonly onLogLost: (end: number) => void
}

const RANGE_TIMEOUT_MS = 10_000
const MARKER_TIMEOUT_MS = 10_000

/**
 * Starts reading at the end of the log. Where the end is, a marker tells: it is published, and the feed
 * reads until it comes by; on every new connection again, to notice a log that was lost.
 */
export function startLogFeed({
  broker,
  queue,
  publisher,
  log,
  onRecord,
  onLogLost,
}: LogFeedOptions): LogFeed {
  const recent = new RecentLog()
  let head: number | null = null
  let positions: StreamPositions = {}
  let isAnchored = false
  /** Markers on their way, and who waits for them. */
  const markers = new Map<string, (offset: number) => void>()

  const findEnd = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const marker = randomUUID()
      const timer = setTimeout(
        () => finish(() => reject(new Error('the end of the log was not found in time'))),
        MARKER_TIMEOUT_MS,
      )
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        markers.delete(marker)
        settle()
      }
      markers.set(marker, (offset) => finish(() => resolve(offset)))
      writeControlEvent(publisher, domainEvents.events.logMarked, { marker }, 0).catch((err: unknown) =>
        finish(() => reject(err instanceof Error ? err : new Error(String(err)))),
      )
    })
  const markerOf = (entry: LogEntry | null): ((offset: number) => void) | undefined =>
    entry?.event === domainEvents.events.logMarked.name
      ? markers.get((entry.payload as PayloadOf<typeof domainEvents.events.logMarked>).marker)
      : undefined

  const accept = ({ offset, body }: RawEntry): LogRecord => {
    const entry = JSON.parse(body) as LogEntry
    const verdict = entry.source === 'events' ? 'take' : judgeSequence(positions[entry.stream], entry.seq)
    if (verdict === 'take' && entry.source !== 'events')
      positions = { ...positions, [entry.stream]: entry.seq }
    if (verdict === 'gap')
      log.warn({ offset, stream: entry.stream, seq: entry.seq }, 'entry is ahead of its stream')
    return { offset, entry: verdict === 'take' ? entry : null, body, positions, cache: new Map() }
  }

  const reader = createLogReader({
    broker,
    queue,
    log,
    onEntry: async (raw) => {
      const record = accept(raw)
      recent.add(record)
      head = raw.offset
      await onRecord(record)
      markerOf(record.entry)?.(raw.offset)
    },
    onAttached: () => {
      findEnd().catch((err: unknown) => log.warn({ err }, 'the end of the log could not be marked'))
    },
    onPassed: ({ offset, body }) => {
      const found = markerOf(JSON.parse(body) as LogEntry)
      if (!found) return
      log.error({ offset, head }, 'the log was lost and began anew')
      recent.clear()
      head = offset
      positions = {}
      onLogLost(offset)
      reader.seek(offset + 1)
      found(offset)
    },
  })
  reader.seek('next')

  return {
    recent,
    head: () => head,
    positions: () => positions,
    isAnchored: () => isAnchored,
    findEnd,
    rewind: (offset, at) => {
      positions = at
      isAnchored = true
      recent.clear()
      reader.seek(offset + 1)
    },
    readRange: (offset, end) => {
      const wanted: LogRecord[] = []
      return new Promise((resolve, reject) => {
        let seen: StreamPositions = {}
        const range = createLogReader({
          broker,
          queue,
          log,
          onEntry: (raw) => {
            if (raw.offset >= end) return finish(() => resolve(wanted))
            const entry = JSON.parse(raw.body) as LogEntry
            const isTaken =
              entry.source === 'events' || judgeSequence(seen[entry.stream], entry.seq) === 'take'
            if (isTaken && entry.source !== 'events') seen = { ...seen, [entry.stream]: entry.seq }
            wanted.push({ ...raw, entry: isTaken ? entry : null, positions: seen, cache: new Map() })
            if (raw.offset === end - 1) finish(() => resolve(wanted))
          },
        })
        const timer = setTimeout(
          () => finish(() => reject(new Error('the log could not be read in time'))),
          RANGE_TIMEOUT_MS,
        )
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          settle()
          void range.close()
        }
        range.seek(offset + 1)
      })
    },
    check: async () => {
      if (head === null) throw new Error('the end of the log is not found yet')
    },
    close: reader.close,
  }
}
