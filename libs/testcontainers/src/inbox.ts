import type { Client, Message } from '@tms/client'
import { describeMessage } from './messages.ts'

const DEFAULT_TIMEOUT_MS = 15_000

interface Poll {
  readonly answered: Promise<void>
  readonly stop: AbortController
}

/** The messages that somebody gets, from the moment on at which it was opened: an event queue of the API. */
export class Inbox {
  readonly #api: Client
  readonly #queueId: string
  #lastEventId: number
  /** Came, and nobody asked for them. */
  #waiting: Message[] = []
  /** The one poll for all who wait: the server ends a poll when there is another of the same queue. */
  #poll: Poll | null = null
  #waiters = 0

  private constructor(api: Client, queueId: string, lastEventId: number) {
    this.#api = api
    this.#queueId = queueId
    this.#lastEventId = lastEventId
  }

  /** Whatever is sent after this has resolved will come. */
  static async open(api: Client): Promise<Inbox> {
    const asked = { event_types: ['message'], apply_markdown: false, all_public_streams: false }
    const { queue_id, last_event_id } = await api.register(asked)
    return new Inbox(api, queue_id, last_event_id)
  }

  /**
   * The first message that fits and that wasn't taken before; others stay for later calls, and for others who wait. Throws,
   * saying what came instead, when none comes in time.
   */
  async next(
    fits: (message: Message) => boolean = () => true,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<Message> {
    const deadline = AbortSignal.timeout(timeoutMs)
    const timeIsOver = new Promise<void>((resolve) => {
      deadline.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#waiters++
    try {
      for (;;) {
        const index = this.#waiting.findIndex(fits)
        const [found] = index < 0 ? [] : this.#waiting.splice(index, 1)
        if (found) return found
        if (deadline.aborted) throw new Error(this.#describeLack(timeoutMs))
        this.#poll ??= this.#startPoll()
        await Promise.race([this.#poll.answered, timeIsOver])
      }
    } finally {
      if (--this.#waiters === 0) this.#stopPoll()
    }
  }

  /** The queue ends by itself, too, some minutes after it was last asked. */
  async close(): Promise<void> {
    await this.#api.deleteEventQueue({ queue_id: this.#queueId })
  }

  #startPoll(): Poll {
    const stop = new AbortController()
    const answered = this.#ask(stop.signal).finally(() => {
      if (this.#poll === poll) this.#poll = null
    })
    // Its failure is nobody's once nobody waits.
    answered.catch(() => {})
    const poll = { answered, stop }
    return poll
  }

  #stopPoll(): void {
    this.#poll?.stop.abort()
    this.#poll = null
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const asked = { queue_id: this.#queueId, last_event_id: this.#lastEventId }
    const { events } = await this.#api.getEvents(asked, { signal })
    for (const event of events) {
      // What a poll brought that nobody waited for any more comes again.
      if (event.id <= this.#lastEventId) continue
      this.#lastEventId = event.id
      if (event.type === 'message') this.#waiting.push(event.message)
    }
  }

  #describeLack(timeoutMs: number): string {
    const came = this.#waiting.map((message) => `\n  ${describeMessage(message)}`)
    const other = came.length === 0 ? ' nothing came' : ` what came:${came.join('')}`
    return `no message that fits within ${timeoutMs / 1000} s;${other}`
  }
}
