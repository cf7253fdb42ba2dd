import { randomUUID } from 'node:crypto'
import { domainEvents, type LogEntry } from '@tms/contracts'
import type { Logger } from '../telemetry/log.ts'
import { closeQuietly } from './close-quietly.ts'
import type { Broker } from './connection.ts'
import { createLogReader, type RawEntry, type StartAt } from './log-reader.ts'

const { logMarked } = domainEvents.events
/** Too small gives up on a busy broker; too large delays the caller while the broker is unavailable. */
const TIMEOUT_MS = 10_000

/** The stream to read. */
export interface StreamAccess {
  readonly broker: Broker
  readonly queue: string
  readonly log: Logger
}

/**
 * Offset of the newest entry. RabbitMQ has no query for it, so a marker is written after a reader was attached, which
 * reports the marker's offset. Rejects while the broker is unavailable. Markers have no sequence number and no
 * handler.
 */
export async function findStreamEnd(access: StreamAccess): Promise<number> {
  const marker = randomUUID()
  return readOffset(access, 'next', ({ body }) => body.includes(marker), marker)
}

/**
 * Offset of the first entry written since a time, or of a slightly older one. Rejects while the broker is
 * unavailable.
 */
export async function findOffsetAt(access: StreamAccess, time: Date): Promise<number> {
  // If nothing was written since, the first entry found is the marker.
  return readOffset(access, time, () => true, randomUUID())
}

/** A range of the log, both ends included. */
interface LogRange {
  readonly first: number
  readonly end: number
}

/**
 * Calls `onEntry` for each entry of a range, in order, at most `limit` times. Rejects if no entry comes for ten
 * seconds.
 */
export function scanLogRange(
  access: StreamAccess,
  { first, end }: LogRange,
  onEntry: (entry: RawEntry) => void,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  let count = 0
  const take = (entry: RawEntry): boolean => {
    if (entry.offset <= end) {
      onEntry(entry)
      count++
    }
    return entry.offset >= end || count >= limit
  }
  return read(access, { startAt: first, take, isLong: true })
}

/** Returns the entries of a range, at most `limit`. Rejects likewise. */
export async function readLogRange(
  access: StreamAccess,
  range: LogRange,
  limit: number,
): Promise<RawEntry[]> {
  const entries: RawEntry[] = []
  const add = (entry: RawEntry): void => {
    entries.push(entry)
  }
  await scanLogRange(access, range, add, limit)
  return entries
}

async function readOffset(
  access: StreamAccess,
  startAt: StartAt,
  isWanted: (entry: RawEntry) => boolean,
  marker: string,
): Promise<number> {
  let found = -1
  const take = (entry: RawEntry): boolean => {
    if (!isWanted(entry)) return false
    found = entry.offset
    return true
  }
  await read(access, { startAt, take, whenAttached: () => writeMarker(access, marker) })
  return found
}

interface ReadOptions {
  readonly startAt: StartAt
  /** Returns true at the last entry that is needed. */
  readonly take: (entry: RawEntry) => boolean
  /** Whether each entry extends the timeout. Otherwise the expected entry may have been missed among others. */
  readonly isLong?: boolean
  readonly whenAttached?: () => Promise<void>
}

function read(
  { broker, queue, log }: StreamAccess,
  { startAt, take, isLong = false, whenAttached }: ReadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      void reader.close()
      settle()
    }
    const timer = setTimeout(
      () => finish(() => reject(new Error(`${queue} could not be read in time`))),
      TIMEOUT_MS,
    )
    let isDone = false
    let isAttached = false
    const reader = createLogReader({
      broker,
      queue,
      log,
      onEntry: (entry) => {
        if (isDone) return
        if (isLong) timer.refresh()
        if (!take(entry)) return
        isDone = true
        finish(resolve)
      },
      onAttached: () => {
        if (isAttached) return
        isAttached = true
        whenAttached?.().catch((err: unknown) => finish(() => reject(err)))
      },
    })
    reader.seek(startAt)
  })
}

/** Writes straight into the stream, bypassing the exchange. */
async function writeMarker({ broker, queue }: StreamAccess, marker: string): Promise<void> {
  const entry: LogEntry = {
    stream: logMarked.producer,
    source: logMarked.producer,
    seq: 0,
    xid: 0,
    at: Date.now(),
    event: logMarked.name,
    realm_id: 0,
    request_id: null,
    payload: { marker },
  }
  const channel = await broker.confirmChannel()
  try {
    channel.sendToQueue(queue, Buffer.from(JSON.stringify(entry)), { persistent: true })
    await channel.waitForConfirms()
  } finally {
    await closeQuietly(channel)
  }
}
