import type { LogEntry } from '@tms/contracts'
import { createLogReader, findStreamEnd, type StreamAccess, scanLogRange } from '@tms/service-kit'
import type { LogRecord, StreamPositions } from './entry.ts'
import { missingBefore, readEntry } from './read-entry.ts'
import { RecentLog } from './recent-log.ts'
import { firstToRead, judgeFirst, type KnownOffset, markOf } from './same-log.ts'
import { shareQuestion } from './shared-question.ts'

/** The one reading of the log in this replica, whatever number of partitions it owns. */
export interface LogTail {
  readonly recent: RecentLog
  /** Offset of the newest entry read; null before the end of the log was found. */
  readonly head: () => number | null
  /** The newest offset that the log is known to have come to; reading may be behind it. Null as above. */
  readonly end: () => number | null
  /** Where the streams stood at the newest entry read. */
  readonly positions: () => StreamPositions
  /**
   * Whether reading began where a partition's state said how the streams stood. Before that, an entry that
   * is there twice can't be told from a new one.
   */
  readonly isAnchored: () => boolean
  /** The offset that the log has come to by now. Rejects while the broker is away. */
  findEnd(): Promise<number>
  /** Offset of the entry that is read next; null before the end of the log was found. */
  readonly next: () => number | null
  /** Goes back to just after a place, where the streams stood at `positions`. */
  rewind(place: KnownOffset, positions: StreamPositions): void
  /** Whether what followed an offset is gone, with the log or as too old. */
  isLost(offset: number): boolean
  /**
   * Reads what is wanted of the stretch after `offset`, where the streams stood at `positions`, and before `end` from the broker,
   * for what is no longer in memory.
   */
  readRange(
    offset: number,
    end: number,
    positions: StreamPositions,
    isWanted: (record: LogRecord) => boolean,
  ): Promise<LogRecord[]>
  check(): Promise<void>
  /** Rejects while the broker is there and does not let the log be read. */
  checkReading(): Promise<void>
  close(): Promise<void>
}

interface LogTailOptions extends StreamAccess {
  /** Whether polls may be answered with an entry, which is then kept for longer than others. */
  readonly reachesClients: (entry: LogEntry) => boolean
  readonly onRecord: (record: LogRecord) => void | Promise<void>
  /** What was read of the log is no part of it any more: it was lost and began anew, or dropped what was not read yet. */
  readonly onLogLost: () => void
}

/** A broker that has just started refuses streams for a moment. */
const FIND_END_RETRY_MS = 500
/**
 * For so long, and up to twice that, the log is kept whole: longer than a register takes, and than a partition stands still
 * when its owner dies. Too small reads from the broker again; too large keeps what nobody asks for.
 */
const WHOLE_MS = 5_000

/**
 * Reads from the end of the log. Where that is, is found at every attachment: the first time to start there,
 * later to notice a log that was lost, since nothing would ever come at the offset after the last. One that has grown as long
 * again is known by what stands at the last place read.
 */
export function startLogTail(options: LogTailOptions): LogTail {
  const { broker, queue, log, onRecord, onLogLost } = options
  const recent = new RecentLog(options.reachesClients)
  const settling = setInterval(() => recent.settle(), WHOLE_MS)
  let head: number | null = null
  let knownEnd: number | null = null
  let next: number | null = null
  let positions: StreamPositions = {}
  let isAnchored = false
  let isClosed = false
  /** The newest entry read. */
  let last: { readonly offset: number; readonly body: string } | null = null
  /** Until the first entry after it has been read. */
  let unverified: KnownOffset | null = null
  /** Whoever stands here or before can't go on: the log was lost, or what followed was dropped. */
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

  const startAnew = (end: number, upTo: number) => {
    lostUpTo = upTo
    startAt(end)
    onLogLost()
  }

  const startAnother = (end: number) => {
    log.error({ end, head }, 'the log was lost and began anew')
    startAnew(end, end)
  }

  const noteEnd = (offset: number) => {
    knownEnd = Math.max(knownEnd ?? offset, offset)
  }

  let isLocating = false
  const locate = async () => {
    if (isLocating) return
    isLocating = true
    await untilLocated()
    isLocating = false
  }

  const askEnd = shareQuestion(() => findStreamEnd(options))
  /** Null, a moment later, where it can't be told at present. */
  const findEnd = async (): Promise<number | null> => {
    try {
      return await askEnd()
    } catch (err) {
      log.warn({ err }, 'the end of the log could not be found, will be retried')
      await new Promise((resolve) => setTimeout(resolve, FIND_END_RETRY_MS))
      return null
    }
  }

  /** Waits until the end can be told, and begins there: unless one is given up to which too much was dropped, in another log. */
  const giveUp = async (droppedUpTo?: number) => {
    while (!isClosed) {
      const end = await findEnd()
      if (end === null) continue
      if (droppedUpTo === undefined) return startAnother(end)
      log.error({ head, droppedUpTo }, 'entries were dropped from the log before they were read')
      return startAnew(end, Math.max(lostUpTo ?? droppedUpTo, droppedUpTo))
    }
  }

  const untilLocated = async () => {
    while (!isClosed) {
      // Reading goes on meanwhile, and may get beyond what is found.
      const readBefore = head
      const end = await findEnd()
      if (end === null) continue
      if (readBefore === null) startAt(end)
      else if (end < readBefore) startAnother(end)
      else noteEnd(end)
      return
    }
  }

  const reader = createLogReader({
    broker,
    queue,
    log,
    onEntry: async (raw) => {
      if (unverified) {
        const verdict = judgeFirst(unverified, raw)
        if (verdict === 'lost') return giveUp()
        // Who stands just before this one, or after it, can go on.
        if (verdict === 'dropped') return giveUp(raw.offset - 2)
        unverified = null
        if (verdict === 'known') return
      }
      // Attached anew while the one before was worked at.
      if (last && raw.offset <= last.offset) return
      last = raw
      const record = readEntry(raw, positions, ({ stream, seq }) =>
        log.warn({ offset: raw.offset, stream, seq }, 'entry is ahead of its stream'),
      )
      const missing = missingBefore(record, positions)
      if (missing)
        log.error({ offset: raw.offset, ...missing }, 'entries that the broker had confirmed are missing')
      positions = record.positions
      recent.add(record)
      head = raw.offset
      next = raw.offset + 1
      noteEnd(head)
      await onRecord(record)
    },
    onAttached: () => void locate(),
    onDeleted: () => lookAgain(),
  })
  /** Begins with the last entry read, which is there if the log is the same. */
  const lookAgain = () => {
    if (unverified || !last) return
    unverified = { offset: last.offset, mark: markOf(last.body) }
    reader.seek(last.offset)
  }
  const stopListening = broker.onConnected(() => {
    if (head === null) void locate()
    else lookAgain()
  })

  return {
    recent,
    head: () => head,
    end: () => knownEnd,
    next: () => next,
    positions: () => positions,
    isAnchored: () => isAnchored,
    findEnd: async () => {
      const end = await askEnd()
      noteEnd(end)
      return end
    },
    isLost: (offset) => lostUpTo !== null && offset <= lostUpTo,
    rewind: (place, at) => {
      positions = at
      // Whoever asks where the streams stand is told an offset that this holds for.
      head = Math.min(head ?? place.offset, place.offset)
      next = place.offset + 1
      isAnchored = true
      recent.clear()
      last = null
      unverified = place
      reader.seek(firstToRead(place))
    },
    readRange: async (offset, end, before, isWanted) => {
      const records: LogRecord[] = []
      let seen = before
      await scanLogRange(options, { first: offset + 1, end: end - 1 }, (raw) => {
        const record = readEntry(raw, seen)
        seen = record.positions
        if (isWanted(record)) records.push(record)
      })
      return records
    },
    check: async () => {
      if (head === null) throw new Error('the end of the log is not found yet')
    },
    checkReading: reader.check,
    close: () => {
      isClosed = true
      stopListening()
      clearInterval(settling)
      return reader.close()
    },
  }
}
