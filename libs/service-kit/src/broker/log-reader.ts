import { within } from '../concurrency/within.ts'
import type { Logger } from '../telemetry/log.ts'
import { closeQuietly } from './close-quietly.ts'
import type { Broker, Channel } from './connection.ts'

/**
 * Where to start: an offset, the oldest entry, the newest, after the newest, or a time. With 'last' and a time, some
 * earlier entries of the same chunk come along.
 */
export type StartAt = number | 'first' | 'last' | 'next' | Date

export interface RawEntry {
  /** Position in the stream queue; the next entry's is one higher. */
  readonly offset: number
  readonly body: string
  /** Trace context that the publisher attached (W3C). */
  readonly traceparent?: string | undefined
  /** Sequence number of the entry's stream up to which the broker had confirmed everything, if the publisher says so. */
  readonly confirmed?: number | undefined
}

/** Unacknowledged entries: too small starves the reader, too large fills memory after an outage. */
const PREFETCH = 1_000
/** Handled entries are acknowledged together while more wait: far fewer than may be unacknowledged, so that the broker never pauses. */
const ACKNOWLEDGED_TOGETHER = 100
const REATTACH_MS = 250
/** AMQP's code for a queue that doesn't exist. */
const NOT_FOUND = 404
/** Longer than a stream takes to come up; a broker that hasn't answered by then may never answer on this channel. */
const ATTACH_MS = 30_000
/**
 * A node without a running copy of the stream refuses every attempt: too small leaves nodes whose copy is coming up,
 * too large delays the reader. Less than the timeout of `stream-range.ts`.
 */
const LEAVE_NODE_MS = 8_000

export interface LogReader {
  /** Continues reading from here; entries of the earlier position that are still on their way are dropped. */
  seek(startAt: StartAt): void
  /** Rejects with the reason while the broker is connected but refuses to let this reader read. */
  check(): Promise<void>
  /** Since when nothing could be read or the next entry could not be handled, as `Date.now()`; null if reading works. */
  stalledSince(): number | null
  close(): Promise<void>
}

interface LogReaderOptions {
  readonly broker: Broker
  readonly queue: string
  readonly log: Logger
  /** Receives each entry once, in order. The next entries wait until its promise settles, so memory stays bounded. */
  readonly onEntry: (entry: RawEntry) => void | Promise<void>
  /** Called after each attachment, with the position it started at. */
  readonly onAttached?: (startAt: StartAt) => void
  /** The queue was deleted. A queue of the same name that appears later is a new one, with its own offsets. */
  readonly onDeleted?: () => void
}

/** AMQP timestamps are whole seconds, marked as such. */
const asArgument = (startAt: StartAt): unknown =>
  startAt instanceof Date ? { '!': 'timestamp', value: Math.floor(startAt.getTime() / 1000) } : startAt

/**
 * Reads a stream queue in order, over any number of reconnections: it continues after the last entry it passed on.
 * Doesn't read until `seek` is called.
 */
export function createLogReader(options: LogReaderOptions): LogReader {
  const { broker, queue, log, onEntry, onAttached, onDeleted } = options
  let startAt: StartAt | null = null
  let lastOffset = -1
  /** Grows with every attachment, so that entries of an older one are recognized and dropped. */
  let generation = 0
  /** Number of the newest attempt; older attempts must not change the state. */
  let attempts = 0
  let channel: Channel | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let chain: Promise<void> = Promise.resolve()

  /** Why the broker refuses to let it read, from the first refusal until it is attached again. */
  let refusal: unknown
  /**
   * Time of the last refusal. While the reader switches to the next node, the refusal still applies; later the broker
   * itself is unavailable.
   */
  let refusedAt = 0
  /** Since when the current node has refused. */
  let refusedSince: number | null = null
  /** One warning per outage. */
  let isWarned = false
  /** Since when no attachment exists although one is wanted. */
  let detachedSince: number | null = null
  /** Since when the current entry has been handled without success. */
  let handlingSince: number | null = null

  const markAttached = () => {
    if (isWarned) log.info({ queue }, 'stream is read again')
    refusal = undefined
    refusedSince = null
    isWarned = false
    detachedSince = null
  }
  const markRefused = (err: unknown, since: number) => {
    refusal = err
    refusedAt = Date.now()
    refusedSince ??= since
    if (Date.now() - refusedSince < LEAVE_NODE_MS) return
    if (!isWarned) log.warn({ err, queue }, 'stream cannot be read here, another node will be tried')
    isWarned = true
    refusedSince = null
    broker.reconnect()
  }

  const attach = async () => {
    if (startAt === null || isClosed) return
    const ownGeneration = ++generation
    const attempt = ++attempts
    const startedAt = Date.now()
    const from = startAt
    let isConnected = false
    try {
      // Not awaited: a channel on which the broker doesn't answer may never close.
      if (channel) void closeQuietly(channel)
      channel = null
      const opened = await broker.channel()
      isConnected = true
      if (ownGeneration !== generation) return void closeQuietly(opened)
      channel = opened
      opened.once('close', () => {
        if (ownGeneration === generation) retry()
      })
      /** Entries that came and have yet to be handled, and handled ones that aren't acknowledged. */
      let waiting = 0
      let unacknowledged = 0
      await opened.prefetch(PREFETCH)
      const consuming = opened.consume(
        queue,
        (message) => {
          if (!message) {
            if (ownGeneration !== generation) return
            retry()
            return onDeleted?.()
          }
          if (ownGeneration !== generation) return
          const { headers } = message.properties
          const offset = Number(headers?.['x-stream-offset'])
          const traceparent = headers?.['traceparent'] as string | undefined
          const confirmed = headers?.['confirmed'] as number | undefined
          const body = message.content.toString()
          waiting++
          chain = chain.then(async () => {
            if (ownGeneration !== generation) return
            // The broker sends whole chunks: entries before the requested offset come along.
            const isWanted = typeof startAt !== 'number' || offset >= startAt
            if (isWanted && offset > lastOffset) {
              handlingSince ??= Date.now()
              await onEntry({ offset, body, traceparent, confirmed })
              handlingSince = null
              if (ownGeneration !== generation) return
              lastOffset = offset
              startAt = offset + 1
            }
            waiting--
            unacknowledged++
            if (waiting > 0 && unacknowledged < ACKNOWLEDGED_TOGETHER) return
            opened.ack(message, true)
            unacknowledged = 0
          })
          chain = chain.catch((err: unknown) => {
            log.error({ err, queue, offset }, 'log entry could not be handled, will be retried')
            if (ownGeneration === generation) retry()
          })
        },
        { noAck: false, arguments: { 'x-stream-offset': asArgument(from) } },
      )
      await within(ATTACH_MS, `${queue} could not be attached to in time`, consuming)
      if (attempt === attempts) markAttached()
      onAttached?.(from)
    } catch (err) {
      // The connection itself reports an unavailable broker.
      if (attempt === attempts) {
        if (isConnected) markRefused(err, startedAt)
        else if (Date.now() - refusedAt > LEAVE_NODE_MS) refusal = undefined
      }
      // Somebody deleted the queue, and nobody else declares it before the next connection.
      if ((err as { code?: unknown }).code === NOT_FOUND) await broker.declare().catch(() => {})
      if (ownGeneration === generation) retry()
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
      // The entry that failed may not exist any more.
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
