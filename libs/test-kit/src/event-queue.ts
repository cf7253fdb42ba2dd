import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError } from './api-client.ts'

export interface ClientEvent {
  readonly id: number
  readonly type: string
  readonly [field: string]: unknown
}

/** How long a test waits for an event: long, since test machines are slow at times. */
const WAIT_MS = 30_000
const RETRY_MS = 100

/** Queues that poll at the moment. */
const pollingQueues = new Set<EventQueue>()

/**
 * Stops all queues that poll. Every event of an organization wakes all of them, so queues of finished tests slow down
 * the next ones.
 */
export async function stopPolling(): Promise<void> {
  await Promise.all([...pollingQueues].map((queue) => queue.stop()))
}

/**
 * A client that polls its event queue as real clients do: it acknowledges events and retries when a poll fails
 * because of a server. It never registers again, so a test notices a lost queue.
 */
export class EventQueue {
  readonly client: ApiClient
  readonly queueId: string
  /** The answer of register. */
  readonly state: Record<string, unknown>
  /** All received events in order, without heartbeats. */
  readonly events: ClientEvent[] = []
  /** Errors of polls that were retried. */
  readonly retries: Error[] = []
  #lastEventId: number
  #failure: Error | null = null
  #isStopped = false
  #polling: Promise<void> | null = null
  readonly #abort = new AbortController()
  #listeners: (() => void)[] = []

  constructor(client: ApiClient, state: Record<string, unknown>) {
    this.client = client
    this.state = state
    this.queueId = state['queue_id'] as string
    this.#lastEventId = state['last_event_id'] as number
  }

  get lastEventId(): number {
    return this.#lastEventId
  }

  /** Polls until stopped. */
  follow(): this {
    pollingQueues.add(this)
    this.#polling ??= this.#run()
    return this
  }

  /** Resolves with the first event that matches, whether received already or later; rejects after a timeout. */
  async waitFor(matches: (event: ClientEvent) => boolean, description = 'event'): Promise<ClientEvent> {
    const found = () => this.events.find(matches)
    await this.until(() => found() !== undefined, description)
    return found() as ClientEvent
  }

  /** Resolves when the condition is true; checks it again after every event. */
  async until(isTrue: () => boolean, description = 'condition', timeoutMs = WAIT_MS): Promise<void> {
    this.follow()
    const deadline = Date.now() + timeoutMs
    while (!isTrue()) {
      if (this.#failure) throw this.#failure
      const leftMs = deadline - Date.now()
      if (leftMs <= 0) {
        const lastEvents = this.events.map((event) => `${event.id}:${event.type}`).slice(-20)
        throw new Error(`${description} did not come; the last events were ${JSON.stringify(lastEvents)}`)
      }
      await this.#nextChange(leftMs)
    }
  }

  async stop(): Promise<void> {
    pollingQueues.delete(this)
    this.#isStopped = true
    this.#abort.abort()
    await this.#polling
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const { events } = await this.client.call(
          endpoints.events.getEvents,
          { queue_id: this.queueId, last_event_id: this.#lastEventId },
          { signal: this.#abort.signal },
        )
        for (const event of events as ClientEvent[]) this.#receive(event)
      } catch (err) {
        if (this.#isStopped) return
        this.retries.push(err as Error)
        if (err instanceof ApiError && err.answer.status < 500) {
          this.#failure = err
          this.#notifyListeners()
          return
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  #receive(event: ClientEvent): void {
    if (event.id <= this.#lastEventId && event.type !== 'heartbeat') {
      this.#failure = new Error(`event ${event.id} came after ${this.#lastEventId}`)
    }
    this.#lastEventId = Math.max(this.#lastEventId, event.id)
    if (event.type !== 'heartbeat') this.events.push(event)
    this.#notifyListeners()
  }

  #notifyListeners(): void {
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
  }

  #nextChange(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#listeners.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/** Registers a queue. Call `follow()` or wait for events to start polling. */
export async function registerQueue(
  client: ApiClient,
  input: Parameters<typeof client.call<typeof endpoints.events.register>>[1] = {},
): Promise<EventQueue> {
  return new EventQueue(client, await client.call(endpoints.events.register, input))
}
