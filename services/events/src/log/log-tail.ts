import type { LogEntry } from '@tms/contracts'
import { createLogReader, findStreamEnd, type StreamAccess, scanLogRange } from '@tms/service-kit'
import type { LogRecord, StreamPositions } from './entry.ts'
import { missingBefore, readEntry } from './read-entry.ts'
import { RecentLog } from './recent-log.ts'
import { checkFirstEntry, firstOffsetToRead, type KnownOffset, markOf } from './same-log.ts'
import { shareCalls } from './shared-calls.ts'

/** Reads the log once per replica, for all partitions that it owns, and caches the newest entries. */
export interface LogTail {
  readonly recent: RecentLog
  /** Offset of the newest entry read; null before the end of the log was found. */
  readonly head: () => number | null
  /** The newest known offset of the log; reading may be behind it. Null as above. */
  readonly end: () => number | null
  /** Positions of the streams at the newest entry read. */
  readonly positions: () => StreamPositions
  /**
   * Whether reading began at a partition's committed offset, with its stream positions. Before that, a duplicate entry can't be
   * distinguished from a new one.
   */
  readonly isAnchored: () => boolean
  /** Reads the newest offset of the log from the broker. Rejects while the broker is unavailable. */
  findEnd(): Promise<number>
  /** Offset of the entry that is read next; null before the end of the log was found. */
  readonly next: () => number | null
  /** Resumes reading after a known offset, with the positions of the streams there. */
  rewind(known: KnownOffset, positions: StreamPositions): void
  /** Whether the entries after an offset are missing because the log was lost or dropped them. */
  isLost(offset: number): boolean
  /**
   * Reads the range after `offset` and before `end` from the broker, for entries that are no longer in memory, and returns the
   * wanted ones. `positions` are those of the streams at `offset`.
   */
  readRange(
    offset: number,
    end: number,
    positions: StreamPositions,
    isWanted: (record: LogRecord) => boolean,
  ): Promise<LogRecord[]>
  check(): Promise<void>
  /** Rejects while the broker is available but the log can't be read. */
  checkReading(): Promise<void>
  close(): Promise<void>
}

interface LogTailOptions extends StreamAccess {
  /** Whether polls may be answered with an entry. Such entries stay in memory longer than others. */
  readonly canReachClients: (entry: LogEntry) => boolean
  readonly onRecord: (record: LogRecord) => void | Promise<void>
  /** Called when the log was lost and began anew, or dropped entries that had not been read. */
  readonly onLogLost: () => void
}

/** A broker that has just started rejects streams for a moment. */
const FIND_END_RETRY_MS = 500
/**
 * The newest entries are cached without gaps for this long, and up to twice that: longer than a register takes, and than a
 * partition stops when its owner dies. Too small reads from the broker again; too large caches entries that nobody needs.
 */
const COMPLETE_RANGE_MS = 5_000

/**
 * Reads from the end of the log. Finds the end at every attachment: the first time to start there, later to notice a lost log,
 * because no entry would ever arrive at the next offset. A new log that has grown as long again is recognized by its entry at
 * the last offset read.
 */
export function startLogTail(options: LogTailOptions): LogTail {
  const { broker, queue, log, onRecord, onLogLost } = options
  const recent = new RecentLog(options.canReachClients)
  const compaction = setInterval(() => recent.compact(), COMPLETE_RANGE_MS)
  let head: number | null = null
  let knownEnd: number | null = null
  let next: number | null = null
  let positions: StreamPositions = {}
  let isAnchored = false
  let isClosed = false
  let last: { readonly offset: number; readonly body: string } | null = null
  /** Offset whose mark is compared with the next entry read, to verify that the log is the same; null once verified. */
  let unverified: KnownOffset | null = null
  /** Partitions at this offset or before can't continue: the log was lost, or dropped the entries that follow. */
  let lostUpTo: number | null = null

  const startAt = (end: number) => {
    recent.clear()
    head = end
    knownEnd = end
    next = end + 1
    positions = {}
    isAnchored = false
    last = null
    unverified = null
    reader.seek(end + 1)
  }

  const restartAfterLoss = (end: number, upTo: number) => {
    lostUpTo = upTo
    startAt(end)
    onLogLost()
  }

  const switchToNewLog = (end: number) => {
    log.error({ end, head }, 'log lost, continuing with a new one')
    restartAfterLoss(end, end)
  }

  const updateEnd = (offset: number) => {
    knownEnd = Math.max(knownEnd ?? offset, offset)
  }

  let isLocating = false
  const locate = async () => {
    if (isLocating) return
    isLocating = true
    await locateUntilFound()
    isLocating = false
  }

  const findSharedEnd = shareCalls(() => findStreamEnd(options))
  /** Returns null, after a delay, if the broker doesn't answer. */
  const findEnd = async (): Promise<number | null> => {
    try {
      return await findSharedEnd()
    } catch (err) {
      log.warn({ err }, 'end of the log not found, will be retried')
      await new Promise((resolve) => setTimeout(resolve, FIND_END_RETRY_MS))
      return null
    }
  }

  /**
   * Waits until the end is found and restarts there. With `droppedUpTo`, the log is the same but has dropped entries up to that
   * offset.
   */
  const handleLoss = async (droppedUpTo?: number) => {
    while (!isClosed) {
      const end = await findEnd()
      if (end === null) continue
      if (droppedUpTo === undefined) return switchToNewLog(end)
      log.error({ head, droppedUpTo }, 'log dropped entries before they were read')
      return restartAfterLoss(end, Math.max(lostUpTo ?? droppedUpTo, droppedUpTo))
    }
  }

  const locateUntilFound = async () => {
    while (!isClosed) {
      // Reading continues meanwhile and may get beyond the end that is found.
      const headBefore = head
      const end = await findEnd()
      if (end === null) continue
      if (headBefore === null) startAt(end)
      else if (end < headBefore) switchToNewLog(end)
      else updateEnd(end)
      return
    }
  }

  const reader = createLogReader({
    broker,
    queue,
    log,
    onEntry: async (raw) => {
      if (unverified) {
        const verdict = checkFirstEntry(unverified, raw)
        if (verdict === 'lost') return handleLoss()
        // Partitions just before this entry, or after it, can continue.
        if (verdict === 'dropped') return handleLoss(raw.offset - 2)
        unverified = null
        if (verdict === 'known') return
      }
      // The reader attached anew while the previous entry was processed.
      if (last && raw.offset <= last.offset) return
      last = raw
      const record = readEntry(raw, positions, ({ stream, seq }) =>
        log.warn({ offset: raw.offset, stream, seq }, 'log entry is ahead of its stream'),
      )
      const missing = missingBefore(record, positions)
      if (missing) log.error({ offset: raw.offset, ...missing }, 'confirmed log entries are missing')
      positions = record.positions
      recent.add(record)
      head = raw.offset
      next = raw.offset + 1
      updateEnd(head)
      await onRecord(record)
    },
    onAttached: () => void locate(),
    onDeleted: () => verifyLastRead(),
  })
  /** Reads the last entry again, which is unchanged if the log is the same. */
  const verifyLastRead = () => {
    if (unverified || !last) return
    unverified = { offset: last.offset, mark: markOf(last.body) }
    reader.seek(last.offset)
  }
  const stopListening = broker.onConnected(() => {
    if (head === null) void locate()
    else verifyLastRead()
  })

  return {
    recent,
    head: () => head,
    end: () => knownEnd,
    next: () => next,
    positions: () => positions,
    isAnchored: () => isAnchored,
    findEnd: async () => {
      const end = await findSharedEnd()
      updateEnd(end)
      return end
    },
    isLost: (offset) => lostUpTo !== null && offset <= lostUpTo,
    rewind: (known, knownPositions) => {
      positions = knownPositions
      // `positions` are those at `head`.
      head = Math.min(head ?? known.offset, known.offset)
      next = known.offset + 1
      isAnchored = true
      recent.clear()
      last = null
      unverified = known
      reader.seek(firstOffsetToRead(known))
    },
    readRange: async (offset, end, before, isWanted) => {
      const records: LogRecord[] = []
      let current = before
      await scanLogRange(options, { first: offset + 1, end: end - 1 }, (raw) => {
        const record = readEntry(raw, current)
        current = record.positions
        if (isWanted(record)) records.push(record)
      })
      return records
    },
    check: async () => {
      if (head === null) throw new Error('end of the log not found yet')
    },
    checkReading: reader.check,
    close: () => {
      isClosed = true
      stopListening()
      clearInterval(compaction)
      return reader.close()
    },
  }
}
