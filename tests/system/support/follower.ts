import type { Client, EventOf, Problem, Registered } from '@tms/client'

type Options = Parameters<Client['events']>[0]
type Event = EventOf
type State = Registered['state']

/** Generous, since these machines are slow at times. */
const WAIT_MS = 30_000

/** Runs a loop over a client's events in the background, and stores the events. */
export class Follower {
  readonly states: State[] = []
  readonly events: Event[] = []
  readonly problems: Problem[] = []
  readonly #stop = new AbortController()
  readonly #ended: Promise<void>
  #failure: Error | null = null
  #listeners: (() => void)[] = []

  constructor(client: Client, options: Options = {}) {
    this.#ended = this.#run(client, options)
  }

  /** The first one. */
  async state(): Promise<State> {
    await this.until(() => this.states.length > 0, 'the state')
    return this.states[0] as State
  }

  /** Resolves with the first matching event, past or future. */
  async waitFor(fits: (event: Event) => boolean, description: string): Promise<Event> {
    await this.until(() => this.events.some(fits), description)
    return this.events.find(fits) as Event
  }

  /** Resolves after a failure from which it recovered. */
  problem(): Promise<void> {
    return this.until(() => this.problems.length > 0, 'a problem')
  }

  async until(holds: () => boolean, description: string): Promise<void> {
    const deadline = Date.now() + WAIT_MS
    while (!holds()) {
      if (this.#failure) throw this.#failure
      const leftMs = deadline - Date.now()
      if (leftMs <= 0)
        throw new Error(`${description} did not arrive: ${JSON.stringify(this.events.slice(-20))}`)
      await this.#nextChange(leftMs)
    }
  }

  /** Resolves when the loop has ended. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#ended
  }

  async #run(client: Client, options: Options): Promise<void> {
    const onRetry = (problem: Problem) => {
      this.problems.push(problem)
      this.#changed()
    }
    try {
      for await (const item of client.events({ signal: this.#stop.signal, onRetry, ...options })) {
        if (item.type === 'registered') this.states.push(item.state)
        else this.events.push(item)
        this.#changed()
      }
    } catch (err) {
      this.#failure = err as Error
      this.#changed()
    }
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
