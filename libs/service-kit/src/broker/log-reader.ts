import type { Logger } from '../log.ts'
import { within } from '../within.ts'
import { closeQuietly } from './close-quietly.ts'
import type { Broker, Channel } from './connection.ts'

/**
 * Where to start: at an offset, at the oldest entry there is, at the newest, after it, or at a time; before the newest and a
 * time some entries that were written together with later ones come along.
 */
export type StartAt = number | 'first' | 'last' | 'next' | Date

export interface RawEntry {
  /** Position in the stream queue; the next entry's is one more. */
  readonly offset: number
  readonly body: string
  /** The trace that it is part of, as whoever published it says. */
  readonly traceparent?: string | undefined
  /** Up to which place of its stream the broker had confirmed everything before, where its publisher says so. */
  readonly confirmed?: number | undefined
}

/** Entries on their way: too small starves the reader, too large fills memory after an outage. */
const PREFETCH = 1_000
const REATTACH_MS = 250
/** How AMQP says that there is no such queue. */
const NOT_FOUND = 404
/** Longer than a stream takes that comes up; a broker that has not answered by then may never do so on this channel. */
const ATTACH_MS = 30_000
/**
 * A node without a running copy of the stream refuses it, and goes on doing so: too small leaves nodes whose copy is
 * coming up, too large keeps the reader waiting. Less than `stream-stretch.ts` waits, which looks for the end at first.
 */
const LEAVE_NODE_MS = 8_000

export interface LogReader {
  /** Reads from here on instead; entries of the earlier position that are on their way are dropped. */
  seek(startAt: StartAt): void
  /** Rejects, with the reason, while the broker is there and does not let it read. */
  check(): Promise<void>
  /** Since when nothing could be read, or the entry that is next could not be handled, as `Date.now()`; null if all is well. */
  stalledSince(): number | null
  close(): Promise<void>
}

interface LogReaderOptions {
  readonly broker: Broker
  readonly queue: string
  readonly log: Logger
  /**
   * Gets each entry once, in order. The next ones wait while the promise it returns is pending, so memory
   * stays bounded.
   */
  readonly onEntry: (entry: RawEntry) => void | Promise<void>
  /** Called after each attachment, with where it started. */
  readonly onAttached?: (startAt: StartAt) => void
  /** The queue was deleted: what has its name afterwards is another, with offsets of its own. */
  readonly onDeleted?: () => void
}

/** As AMQP has times: whole seconds, marked as such. */
const asArgument = (startAt: StartAt): unknown =>
  startAt instanceof Date ? { '!': 'timestamp', value: Math.floor(startAt.getTime() / 1000) } : startAt

/**
 * Reads a stream queue in order, over any number of reconnections: it goes on after the last entry it handed
 * out. Doesn't read until `seek` was called.
 */
export function createLogReader(options: LogReaderOptions): LogReader {
  const { broker, queue, log, onEntry, onAttached, onDeleted } = options
  let startAt: StartAt | null = null
  let lastOffset = -1
  /** Grows with every attachment, so that what an older one still delivers is recognised. */
  let generation = 0
  /** Tells the newest attempt from those that it has made void. */
  let attempts = 0
  let channel: Channel | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let chain: Promise<void> = Promise.resolve()

  /** Why the broker does not let it read, from its first refusal until it is attached again. */
  let refusal: unknown
  /** When it did so last: while the way to the next node is found, nothing has changed; later the broker itself is away. */
  let refusedAt = 0
  /** When the present node began to refuse. */
  let refusedSince: number | null = null
  /** Nobody is told twice of the same outage. */
  let isWarned = false
  /** From the end of an attachment, or the wish for one, until there is another. */
  let detachedSince: number | null = null
  /** From when an entry was first handed out until that has succeeded. */
  let handlingSince: number | null = null

  const noteAttached = () => {
    if (isWarned) log.info({ queue }, 'stream is read again')
    refusal = undefined
    refusedSince = null
    isWarned = false
    detachedSince = null
  }
  const noteRefused = (err: unknown, since: number) => {
    refusal = err
    refusedAt = Date.now()
    refusedSince ??= since
    if (Date.now() - refusedSince < LEAVE_NODE_MS) return
    if (!isWarned) log.warn({ err, queue }, 'stream can not be read here, another node will be tried')
    isWarned = true
    refusedSince = null
    broker.reconnect()
  }

  const attach = async () => {
    if (startAt === null || isClosed) return
    const mine = ++generation
    const attempt = ++attempts
    const begunAt = Date.now()
    const from = startAt
    let isConnected = false
    try {
      // Not waited for: one that the broker doesn't answer on any more may never be closed.
      if (channel) void closeQuietly(channel)
      channel = null
      const opened = await broker.channel()
      isConnected = true
      if (mine !== generation) return void closeQuietly(opened)
      channel = opened
      opened.once('close', () => {
        if (mine === generation) retry()
      })
      await opened.prefetch(PREFETCH)
      const consuming = opened.consume(
        queue,
        (message) => {
          if (!message) {
            if (mine !== generation) return
            retry()
            return onDeleted?.()
          }
          if (mine !== generation) return
          const { headers } = message.properties
          const offset = Number(headers?.['x-stream-offset'])
          const traceparent = headers?.['traceparent'] as string | undefined
          const confirmed = headers?.['confirmed'] as number | undefined
          const body = message.content.toString()
          chain = chain.then(async () => {
            if (mine !== generation) return
            // The broker sends whole chunks: entries before the wanted offset come along.
            const isWanted = typeof startAt !== 'number' || offset >= startAt
            if (isWanted && offset > lastOffset) {
              handlingSince ??= Date.now()
              await onEntry({ offset, body, traceparent, confirmed })
              handlingSince = null
              if (mine !== generation) return
              lastOffset = offset
              startAt = offset + 1
            }
            opened.ack(message)
          })
          chain = chain.catch((err: unknown) => {
            log.error({ err, queue, offset }, 'log entry could not be handled, will be retried')
            if (mine === generation) retry()
          })
        },
        { noAck: false, arguments: { 'x-stream-offset': asArgument(from) } },
      )
      await within(ATTACH_MS, `${queue} could not be attached to in time`, consuming)
      if (attempt === attempts) noteAttached()
      onAttached?.(from)
    } catch (err) {
      // Of a broker that is away the connection tells.
      if (attempt === attempts) {
        if (isConnected) noteRefused(err, begunAt)
        else if (Date.now() - refusedAt > LEAVE_NODE_MS) refusal = undefined
      }
      // Somebody has deleted it, and nobody would declare it before the next connection.
      if ((err as { code?: unknown }).code === NOT_FOUND) await broker.declare().catch(() => {})
      if (mine === generation) retry()
    }
  }
  const retry = () => {
    if (isClosed) return
    detachedSince ??= Date.now()
    generation++
    clearTimeout(timer)
    timer = setTimeout(attach, REATTACH_MS)
  }
  const stopListening = broker.onConnected(() => {
    clearTimeout(timer)
    refusedSince = null
    void attach()
  })

  return {
    seek: (position) => {
      startAt = position
      lastOffset = -1
      detachedSince ??= Date.now()
      // What could not be handled may not be there to be read any more.
      handlingSince = null
      clearTimeout(timer)
      void attach()
    },
    check: async () => {
      if (refusal !== undefined) throw refusal
    },
    stalledSince: () =>
      detachedSince === null || handlingSince === null
        ? (detachedSince ?? handlingSince)
        : Math.min(detachedSince, handlingSince),
    close: async () => {
      isClosed = true
      generation++
      attempts++
      clearTimeout(timer)
      stopListening()
      if (channel) await closeQuietly(channel)
      await chain
    },
  }
}
