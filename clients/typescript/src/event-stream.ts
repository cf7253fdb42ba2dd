import type { Call } from './caller.ts'
import { ApiError } from './errors.ts'
import type { EventStreamOptions, Problem, Registered } from './event-stream-options.ts'
import type { EventOf, EventType } from './events.ts'
import type { HeartbeatEvent, RegisterAnswer } from './generated/answers.ts'
import { backoffMs, isOfServerThatStarts, retryDelayMs } from './retry-delay.ts'
import { wait } from './wait.ts'

/** A client that starts together with the server finds it. */
const START_TIMEOUT_MS = 60_000
/** Where nothing says that the server is about to come: what is none is soon told. */
const STRANGE_ATTEMPTS = 4
/** The last attempt begins when the time is up: too small misses a server that has just come. */
const LAST_ATTEMPT_MS = 2_000
/** What ends is not worth more: the server drops the queue by itself later. */
const FAREWELL_MS = 5_000

/** What the client can do, unless it says otherwise: so it gets events in their present form alone. */
const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
}

/** What a poll of a queue of these events may bring. */
type Delivered<T extends EventType> = EventOf<T> | HeartbeatEvent

interface Queue {
  readonly id: string
  readonly pollTimeoutMs: number
  lastEventId: number
  /** Some poll of it was answered. */
  isProven: boolean
  isGone: boolean
}

/**
 * The events of one queue after the other, each event once and in order, for one loop over them. Polls only when the loop
 * asks for more: who takes longer than `idle_queue_timeout` over an event loses the queue.
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
   * Registers anew once the loop has had what was read already, so that a `registered` comes: for who keeps the state and
   * meets a `restart`, which says that the server is another release. What happens meanwhile comes as no event.
   */
  renew(): void {
    this.#isRenewing = true
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Registered | EventOf<T>, void, undefined> {
    if (this.#isFollowed) throw new TypeError('This stream is followed already: ask the client for another')
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
    let inVain = 0
    for (let isFirst = true; !this.#isStopped; isFirst = false) {
      const state = await this.#register(isFirst)
      if (state === null) return
      const queue = queueOf(state)
      this.#isRenewing = false
      try {
        // Who stopped while it registered wants no news.
        if (!this.#isStopped) yield { type: 'registered', isFirst, state }
        yield* this.#poll(queue)
      } finally {
        if (!queue.isGone) await this.#delete(queue)
      }
      inVain = queue.isProven ? 0 : inVain + 1
      if (inVain > 0) await wait(backoffMs(inVain), this.#stop.signal)
    }
  }

  /** Until the queue is gone or nobody wants it any more. */
  async *#poll(queue: Queue): AsyncGenerator<EventOf<T>, void, undefined> {
    for (let failures = 0; !this.#isStopped && !this.#isRenewing; ) {
      let events: readonly Delivered<T>[]
      try {
        events = await this.#ask(queue)
        failures = 0
      } catch (err) {
        queue.isGone = isGone(err)
        if (this.#isStopped || queue.isGone) return
        await this.#pause(err, ++failures)
        continue
      }
      queue.isProven = true
      for (const event of events) {
        // An answer that got lost comes again.
        if (event.id <= queue.lastEventId) continue
        queue.lastEventId = event.id
        if (!isHeartbeat(event)) yield event
        if (this.#isStopped) return
      }
      // Whoever answers at once with nothing isn't to be asked at once again.
      if (events.length === 0) await wait(backoffMs(1), this.#stop.signal)
    }
  }

  async #ask({ id, lastEventId, pollTimeoutMs }: Queue): Promise<readonly Delivered<T>[]> {
    const parameters = { queue_id: id, last_event_id: lastEventId }
    const options = { retries: 0, timeoutMs: pollTimeoutMs, signal: this.#stop.signal }
    const answer = await this.#call('getEvents', parameters, options)
    return (answer as { events: Delivered<T>[] }).events
  }

  /** Null when it was stopped. An answer that is on its way then is awaited, for the sake of its queue. */
  async #register(isFirst: boolean): Promise<RegisterAnswer | null> {
    const { signal: _, onRetry: __, startTimeoutMs = START_TIMEOUT_MS, ...others } = this.#options
    const parameters = { ...others, client_capabilities: others.client_capabilities ?? CAPABILITIES }
    const givesUpAt = isFirst ? performance.now() + startTimeoutMs : Number.POSITIVE_INFINITY
    const farewell = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = () => {
      timer = setTimeout(() => farewell.abort(), FAREWELL_MS)
    }
    this.#stop.signal.addEventListener('abort', leave, { once: true })
    try {
      let strange = 0
      for (let attempt = 1; !this.#isStopped; attempt++) {
        try {
          const leftMs = Math.max(LAST_ATTEMPT_MS, givesUpAt - performance.now())
          const options = { retries: 0, signal: farewell.signal, leftMs }
          return (await this.#call('register', parameters, options)) as RegisterAnswer
        } catch (err) {
          if (this.#isStopped) break
          if (!isOfServerThatStarts(err)) strange++
          if (isFirst && strange >= STRANGE_ATTEMPTS) throw err
          await this.#pause(err, attempt, givesUpAt)
        }
      }
      return null
    } finally {
      clearTimeout(timer)
      this.#stop.signal.removeEventListener('abort', leave)
    }
  }

  /** Throws what waiting doesn't help against, or not until then. */
  async #pause(err: unknown, attempt: number, givesUpAt = Number.POSITIVE_INFINITY): Promise<void> {
    const leftMs = givesUpAt - performance.now()
    const delayMs = retryDelayMs(err, attempt, true, leftMs)
    if (delayMs === null) throw err
    this.#options.onRetry?.({ error: err as Problem['error'], delayMs })
    await wait(delayMs, this.#stop.signal)
  }

  async #delete({ id }: Queue): Promise<void> {
    try {
      await this.#call('deleteEventQueue', { queue_id: id }, { retries: 0, timeoutMs: FAREWELL_MS })
    } catch {
      // It is gone, or will be when it was idle for long enough.
    }
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted
  }
}

function queueOf(state: RegisterAnswer): Queue {
  return {
    id: state.queue_id,
    pollTimeoutMs: state.event_queue_longpoll_timeout_seconds * 1_000,
    lastEventId: state.last_event_id,
    isProven: false,
    isGone: false,
  }
}

const isHeartbeat = (event: { type: string }): event is HeartbeatEvent => event.type === 'heartbeat'

const isGone = (err: unknown): boolean => err instanceof ApiError && err.code === 'BAD_EVENT_QUEUE_ID'
