import type { Call } from './caller.ts'
import { ApiError } from './errors.ts'
import type { EventStreamOptions, Problem, Registered } from './event-stream-options.ts'
import type { EventOf, EventType } from './events.ts'
import type { HeartbeatEvent, RegisterAnswer } from './generated/answers.ts'
import { backoffMs, isServerStarting, retryDelayMs } from './retry-delay.ts'
import { wait } from './wait.ts'

/** Lets a client start together with the server. */
const START_TIMEOUT_MS = 60_000
/** After so many failures that don't look like a starting server, the start fails. */
const MAX_UNEXPECTED_FAILURES = 4
/** The last attempt, at the deadline, gets this long: a shorter one would miss a server that has just started. */
const LAST_ATTEMPT_MS = 2_000
/** Short: the server drops an abandoned queue by itself later. */
const CLOSE_TIMEOUT_MS = 5_000

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
  /** Whether a poll of it has succeeded. */
  wasPolled: boolean
  isMissing: boolean
}

/**
 * The events of one queue after the other, each once and in order, for a single loop. Polls only when the loop asks for the
 * next event: a loop body that takes longer than `idle_queue_timeout` loses the queue.
 */
export class EventStream<T extends EventType = EventType> implements AsyncIterable<Registered | EventOf<T>> {
  readonly #call: Call
  readonly #options: EventStreamOptions<T>
  readonly #stop = new AbortController()
  #isFollowed = false
  #isRenewing = false

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
        yield* this.#poll(queue)
      } finally {
        if (!queue.isMissing) await this.#delete(queue)
      }
      unpolledQueues = queue.wasPolled ? 0 : unpolledQueues + 1
      if (unpolledQueues > 0) await wait(backoffMs(unpolledQueues), this.#stop.signal)
    }
  }

  /** Polls until the queue no longer exists, or the stream is stopped or renewed. */
  async *#poll(queue: Queue): AsyncGenerator<EventOf<T>, void, undefined> {
    for (let failures = 0; !this.#isStopped && !this.#isRenewing; ) {
      let events: readonly Delivered<T>[]
      try {
        events = await this.#ask(queue)
        failures = 0
      } catch (err) {
        queue.isMissing = isMissing(err)
        if (this.#isStopped || queue.isMissing) return
        await this.#pause(err, ++failures)
        continue
      }
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
    isMissing: false,
  }
}

const isHeartbeat = (event: { type: string }): event is HeartbeatEvent => event.type === 'heartbeat'

const isMissing = (err: unknown): boolean => err instanceof ApiError && err.code === 'BAD_EVENT_QUEUE_ID'
