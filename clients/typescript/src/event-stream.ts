import type { Call } from './caller.ts'
import { ApiError, NoAnswerError } from './errors.ts'
import type { EventStreamOptions, Problem, Registered } from './event-stream-options.ts'
import type { EventOf, EventType } from './events.ts'
import type { HeartbeatEvent, RegisterAnswer } from './generated/answers.ts'
import { backoffMs, isServerStarting, retryDelayMs } from './retry-delay.ts'
import { findRootCause } from './root-cause.ts'
import { readServerSentEvents, SilentStreamError } from './server-sent-events.ts'
import { wait } from './wait.ts'

/** Lets a client start together with the server. */
const START_TIMEOUT_MS = 60_000
/** After so many failures that don't look like a starting server, the start fails. */
const MAX_UNEXPECTED_FAILURES = 4
/** The last attempt, at the deadline, gets this long: a shorter one would miss a server that has just started. */
const LAST_ATTEMPT_MS = 2_000
/** Short: the server drops an abandoned queue by itself later. */
const CLOSE_TIMEOUT_MS = 5_000

/** A server's stream that hasn't begun by then, or is silent for so long, is collected by a proxy: the queue is polled. */
const STREAM_START_MS = 15_000
const STREAM_SILENT_MS = 60_000
/** Events to handle before they are acknowledged, and the time after which fewer are. */
const ACKNOWLEDGE_AFTER = { events: 100, ms: 5_000 } as const
/** Another program may have the queue: longer than a late request of this one takes. */
const SUPERSEDED_MS = 5_000

/** Default capabilities: the client gets events in their current form only. */
const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
}

/** An event that a poll may return. */
type Delivered<T extends EventType> = EventOf<T> | HeartbeatEvent

interface Queue {
  readonly id: string
  readonly pollTimeoutMs: number
  lastEventId: number
  /** Whether a poll or a stream of it has succeeded. */
  wasPolled: boolean
  /** Whether its events come by a stream; otherwise by polls. */
  isStreamed: boolean
  /** Events handled since the last acknowledgement, and the timer of the next. */
  unacknowledged: number
  acknowledging: ReturnType<typeof setTimeout> | undefined
  isMissing: boolean
}

/**
 * The events of one queue after the other, each once and in order, for a single loop. They come by the server's stream, or by
 * polls if it has none or a proxy holds it up. Reads only when the loop asks for the next event: a loop body that takes longer
 * than `idle_queue_timeout` loses the queue.
 */
export class EventStream<T extends EventType = EventType> implements AsyncIterable<Registered | EventOf<T>> {
  readonly #call: Call
  readonly #options: EventStreamOptions<T>
  readonly #stop = new AbortController()
  #isFollowed = false
  #isRenewing = false
  /** Ends the stream of the server that is read. */
  #reading: AbortController | null = null

  constructor(call: Call, options: EventStreamOptions<T>) {
    this.#call = call
    this.#options = options
  }

  /** Ends the stream, as its signal does; the queue is deleted before its loop ends. */
  stop(): void {
    this.#stop.abort()
  }

  /**
   * Registers a new queue once the loop has handled the events read so far, which yields a new `registered`. For clients that
   * keep the state and get a `restart`: the server is another release. Changes meanwhile are in the new state only.
   */
  renew(): void {
    this.#isRenewing = true
    this.#reading?.abort()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Registered | EventOf<T>, void, undefined> {
    if (this.#isFollowed)
      throw new TypeError('This stream is in use already: create another with client.events()')
    this.#isFollowed = true
    const { signal } = this.#options
    const stop = () => this.stop()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    try {
      yield* this.#follow()
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async *#follow(): AsyncGenerator<Registered | EventOf<T>, void, undefined> {
    let unpolledQueues = 0
    for (let isFirst = true; !this.#isStopped; isFirst = false) {
      const state = await this.#register(isFirst)
      if (state === null) return
      const queue = createQueue(state)
      this.#isRenewing = false
      try {
        // Stopped while it registered.
        if (!this.#isStopped) yield { type: 'registered', isFirst, state }
        yield* this.#read(queue)
      } finally {
        clearTimeout(queue.acknowledging)
        if (!queue.isMissing) await this.#delete(queue)
      }
      unpolledQueues = queue.wasPolled ? 0 : unpolledQueues + 1
      if (unpolledQueues > 0) await wait(backoffMs(unpolledQueues), this.#stop.signal)
    }
  }

  /** Reads until the queue no longer exists, or the stream is stopped or renewed. */
  async *#read(queue: Queue): AsyncGenerator<EventOf<T>, void, undefined> {
    for (let failures = 0; !this.#isStopped && !this.#isRenewing; ) {
      const { lastEventId } = queue
      try {
        yield* queue.isStreamed ? this.#stream(queue) : this.#poll(queue)
        failures = 0
      } catch (err) {
        queue.isMissing = isMissing(err)
        if (this.#isStopped || queue.isMissing) return
        if (queue.lastEventId > lastEventId) failures = 0
        await this.#pause(err, ++failures)
      }
    }
  }

  /** Yields the events of one stream of the server. */
  async *#stream(queue: Queue): AsyncGenerator<EventOf<T>, void, undefined> {
    const startedAt = performance.now()
    const parameters = { queue_id: queue.id, last_event_id: queue.lastEventId }
    const reading = new AbortController()
    this.#reading = reading
    const signal = AbortSignal.any([this.#stop.signal, reading.signal])
    const options = { retries: 0, timeoutMs: STREAM_START_MS, signal }
    let hasArrived = false
    try {
      const response = (await this.#call('streamEvents', parameters, options)) as Response
      queue.wasPolled = true
      for await (const { event, data } of readServerSentEvents(response, STREAM_SILENT_MS)) {
        hasArrived = true
        if (event === 'superseded') return await wait(SUPERSEDED_MS, this.#stop.signal)
        const delivered = JSON.parse(data) as EventOf<T>
        // After a lost connection the server sends the same events again.
        if (delivered.id <= queue.lastEventId) continue
        yield delivered
        queue.lastEventId = delivered.id
        if (this.#isStopped || this.#isRenewing) return
        this.#acknowledge(queue)
      }
      // A server that ends its streams at once must not be asked in a tight loop.
      if (performance.now() - startedAt < backoffMs(2)) await wait(backoffMs(1), this.#stop.signal)
    } catch (err) {
      if (signal.aborted) return
      const hasNotStarted = err instanceof NoAnswerError && err.status === null
      const isHeldUp = hasNotStarted && performance.now() - startedAt >= STREAM_START_MS
      const isHeldBack = err instanceof SilentStreamError && !hasArrived
      if (isHeldUp || isHeldBack || isUnknownPath(err)) queue.isStreamed = false
      // The connection was lost.
      else if (err instanceof SilentStreamError) return
      else if (err instanceof ApiError || err instanceof NoAnswerError) throw err
      else
        throw new NoAnswerError('streamEvents', `the stream broke off: ${findRootCause(err).message}`, {
          cause: err,
        })
    }
  }

  /** Acknowledges what was handled, at once if it is much, otherwise soon. What fails is acknowledged with the next events. */
  #acknowledge(queue: Queue): void {
    const acknowledge = () => {
      clearTimeout(queue.acknowledging)
      queue.acknowledging = undefined
      queue.unacknowledged = 0
      const parameters = { queue_id: queue.id, last_event_id: queue.lastEventId }
      const options = { retries: 0, timeoutMs: CLOSE_TIMEOUT_MS, signal: this.#stop.signal }
      this.#call('acknowledgeEvents', parameters, options).catch(() => {})
    }
    if (++queue.unacknowledged >= ACKNOWLEDGE_AFTER.events) acknowledge()
    else queue.acknowledging ??= setTimeout(acknowledge, ACKNOWLEDGE_AFTER.ms)
  }

  /** Yields the events of one poll. */
  async *#poll(queue: Queue): AsyncGenerator<EventOf<T>, void, undefined> {
    const events = await this.#ask(queue)
    queue.wasPolled = true
    for (const event of events) {
      // After a lost answer the server sends the same events again.
      if (event.id <= queue.lastEventId) continue
      queue.lastEventId = event.id
      if (!isHeartbeat(event)) yield event
      if (this.#isStopped) return
    }
    // A server that returns nothing at once must not be polled in a tight loop.
    if (events.length === 0) await wait(backoffMs(1), this.#stop.signal)
  }

  async #ask({ id, lastEventId, pollTimeoutMs }: Queue): Promise<readonly Delivered<T>[]> {
    const parameters = { queue_id: id, last_event_id: lastEventId }
    const options = { retries: 0, timeoutMs: pollTimeoutMs, signal: this.#stop.signal }
    const answer = await this.#call('getEvents', parameters, options)
    return (answer as { events: Delivered<T>[] }).events
  }

  /** Returns null if stopped. A pending request is awaited then, so that its queue can be deleted. */
  async #register(isFirst: boolean): Promise<RegisterAnswer | null> {
    const { signal: _, onRetry: __, startTimeoutMs = START_TIMEOUT_MS, ...others } = this.#options
    const parameters = { ...others, client_capabilities: others.client_capabilities ?? CAPABILITIES }
    const deadline = isFirst ? performance.now() + startTimeoutMs : Number.POSITIVE_INFINITY
    const closing = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const startClosing = () => {
      timer = setTimeout(() => closing.abort(), CLOSE_TIMEOUT_MS)
    }
    this.#stop.signal.addEventListener('abort', startClosing, { once: true })
    try {
      let unexpectedFailures = 0
      for (let attempt = 1; !this.#isStopped; attempt++) {
        try {
          const leftMs = Math.max(LAST_ATTEMPT_MS, deadline - performance.now())
          const options = { retries: 0, signal: closing.signal, leftMs }
          return (await this.#call('register', parameters, options)) as RegisterAnswer
        } catch (err) {
          if (this.#isStopped) break
          if (!isServerStarting(err)) unexpectedFailures++
          if (isFirst && unexpectedFailures >= MAX_UNEXPECTED_FAILURES) throw err
          await this.#pause(err, attempt, deadline)
        }
      }
      return null
    } finally {
      clearTimeout(timer)
      this.#stop.signal.removeEventListener('abort', startClosing)
    }
  }

  /** Waits before a retry. Throws the error if a retry doesn't help, or not before the deadline. */
  async #pause(err: unknown, attempt: number, deadline = Number.POSITIVE_INFINITY): Promise<void> {
    const leftMs = deadline - performance.now()
    const delayMs = retryDelayMs(err, attempt, true, leftMs)
    if (delayMs === null) throw err
    this.#options.onRetry?.({ error: err as Problem['error'], delayMs })
    await wait(delayMs, this.#stop.signal)
  }

  async #delete({ id }: Queue): Promise<void> {
    try {
      await this.#call('deleteEventQueue', { queue_id: id }, { retries: 0, timeoutMs: CLOSE_TIMEOUT_MS })
    } catch {
      // The queue no longer exists, or the server drops it when it has been idle for long enough.
    }
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted
  }
}

function createQueue(state: RegisterAnswer): Queue {
  return {
    id: state.queue_id,
    pollTimeoutMs: state.event_queue_longpoll_timeout_seconds * 1_000,
    lastEventId: state.last_event_id,
    wasPolled: false,
    isStreamed: state.event_stream_available === true,
    unacknowledged: 0,
    acknowledging: undefined,
    isMissing: false,
  }
}

const isHeartbeat = (event: { type: string }): event is HeartbeatEvent => event.type === 'heartbeat'

/** A proxy lets through only the paths that it knows. */
const isUnknownPath = (err: unknown): boolean =>
  (err instanceof ApiError || err instanceof NoAnswerError) && (err.status === 404 || err.status === 405)

const isMissing = (err: unknown): boolean => err instanceof ApiError && err.code === 'BAD_EVENT_QUEUE_ID'
