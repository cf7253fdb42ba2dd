import { randomUUID } from 'node:crypto'
import { domainEvents, type LogEntry } from '@tms/contracts'
import type { Logger } from '../log.ts'
import { closeQuietly } from './close-quietly.ts'
import type { Broker } from './connection.ts'
import { createLogReader, type RawEntry, type StartAt } from './log-reader.ts'

const { logMarked } = domainEvents.events
/** Too small gives up on a busy broker; too large keeps a caller waiting for one that is away. */
const TIMEOUT_MS = 10_000

/** Which stream is read. */
export interface StreamAccess {
  readonly broker: Broker
  readonly queue: string
  readonly log: Logger
}

/**
 * Offset of the newest entry. There is no asking for it, so a marker is written behind a reader of its own, which sees
 * where it lands. Rejects while the broker is away. Markers are entries without a place, which nobody reacts to.
 */
export async function findStreamEnd(access: StreamAccess): Promise<number> {
  const marker = randomUUID()
  return readOffset(access, 'next', ({ body }) => body.includes(marker), marker)
}

/** Offset from which on everything is that was written since a time, and maybe a little more. Rejects likewise. */
export async function findOffsetAt(access: StreamAccess, time: Date): Promise<number> {
  // The marker comes where nothing else does.
  return readOffset(access, time, () => true, randomUUID())
}

/** A stretch of a stream, both ends included. */
interface LogRange {
  readonly first: number
  readonly end: number
}

/** Hands over each entry of a stretch, in order, but at most `limit` of them. Rejects when for ten seconds no more come. */
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

/** The same entries together. Rejects likewise. */
export async function readLogRange(
  access: StreamAccess,
  stretch: LogRange,
  limit: number,
): Promise<RawEntry[]> {
  const entries: RawEntry[] = []
  const add = (entry: RawEntry): void => {
    entries.push(entry)
  }
  await scanLogRange(access, stretch, add, limit)
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

interface Reading {
  readonly startAt: StartAt
  /** Returns true at the last entry that is wanted. */
  readonly take: (entry: RawEntry) => boolean
  /** Whether each entry shows that it goes on. Else the one that is waited for may have been missed amid others. */
  readonly isLong?: boolean
  readonly whenAttached?: () => Promise<void>
}

function read(
  { broker, queue, log }: StreamAccess,
  { startAt, take, isLong = false, whenAttached }: Reading,
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

/** Straight into this stream, past the exchange. */
async function writeMarker({ broker, queue }: StreamAccess, marker: string): Promise<void> {
  const entry: LogEntry = {
    stream: logMarked.producer,
    source: logMarked.producer,
    seq: 0,
    xid: 0,
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
