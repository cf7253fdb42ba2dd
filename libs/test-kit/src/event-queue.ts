import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError } from './api-client.ts'

export interface ClientEvent {
  readonly id: number
  readonly type: string
  readonly [field: string]: unknown
}

/** How long a test waits for an event: generous, since these machines are slow at times. */
const WAIT_MS = 30_000
const RETRY_MS = 100

/** Those that poll at the moment. */
const following = new Set<EventQueue>()

/**
 * Stops all queues that poll. Whatever happens in an organization wakes each of them, so those of tests that are over
 * cost the ones that are to come.
 */
export async function stopFollowing(): Promise<void> {
  await Promise.all([...following].map((queue) => queue.stop()))
}

/**
 * A client that follows its event queue as real ones do: it polls, acknowledges, and tries again when a poll
 * fails for want of a server. It never registers again by itself, so a queue that gets lost shows.
 */
export class EventQueue {
  readonly client: ApiClient
  readonly queueId: string
  /** The answer of register. */
  readonly state: Record<string, unknown>
  /** Everything received, in order, heartbeats left out. */
  readonly events: ClientEvent[] = []
  /** Why polls failed that were tried again. */
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

  /** Polls from now on until stopped. */
  follow(): this {
    following.add(this)
    this.#polling ??= this.#run()
    return this
  }

  /** Resolves with the first event, past or to come, that fits; rejects when none comes in time. */
  async waitFor(fits: (event: ClientEvent) => boolean, description = 'event'): Promise<ClientEvent> {
    const found = () => this.events.find(fits)
    await this.until(() => found() !== undefined, description)
    return found() as ClientEvent
  }

  /** Resolves when the condition holds, looking again after every event. */
  async until(holds: () => boolean, description = 'condition', timeoutMs = WAIT_MS): Promise<void> {
    this.follow()
    const deadline = Date.now() + timeoutMs
    while (!holds()) {
      if (this.#failure) throw this.#failure
      const leftMs = deadline - Date.now()
      if (leftMs <= 0) {
        const seen = this.events.map((event) => `${event.id}:${event.type}`).slice(-20)
        throw new Error(`${description} did not come; the last events were ${JSON.stringify(seen)}`)
      }
      await this.#nextChange(leftMs)
    }
  }

  async stop(): Promise<void> {
    following.delete(this)
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
          this.#changed()
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
    this.#changed()
  }

  #changed(): void {
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

/** Registers a queue; `follow()` it or wait for events to start polling. */
export async function registerQueue(
  client: ApiClient,
  input: Parameters<typeof client.call<typeof endpoints.events.register>>[1] = {},
): Promise<EventQueue> {
  return new EventQueue(client, await client.call(endpoints.events.register, input))
}
