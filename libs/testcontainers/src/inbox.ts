import type { Client, Message } from '@tms/client'
import { describeMessage } from './messages.ts'

const DEFAULT_TIMEOUT_MS = 15_000

interface Poll {
  readonly answered: Promise<void>
  readonly stop: AbortController
}

/** The messages that an account receives after this was opened, from an event queue of the API. */
export class Inbox {
  readonly #api: Client
  readonly #queueId: string
  #lastEventId: number
  /** Received messages that no caller has taken yet. */
  #waiting: Message[] = []
  /** The single poll that all callers share: the server ends a poll when another one of the same queue arrives. */
  #poll: Poll | null = null
  #waiters = 0

  private constructor(api: Client, queueId: string, lastEventId: number) {
    this.#api = api
    this.#queueId = queueId
    this.#lastEventId = lastEventId
  }

  /** The inbox receives every message that is sent after this has resolved. */
  static async open(api: Client): Promise<Inbox> {
    const request = { event_types: ['message'], apply_markdown: false, all_public_streams: false }
    const { queue_id, last_event_id } = await api.register(request)
    return new Inbox(api, queue_id, last_event_id)
  }

  /**
   * Returns the first matching message that no call has returned yet; others stay for other calls. Throws an error
   * with the received messages if no message matches in time.
   */
  async next(
    matches: (message: Message) => boolean = () => true,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<Message> {
    const deadline = AbortSignal.timeout(timeoutMs)
    const timeIsOver = new Promise<void>((resolve) => {
      deadline.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#waiters++
    try {
      for (;;) {
        const index = this.#waiting.findIndex(matches)
        const [found] = index < 0 ? [] : this.#waiting.splice(index, 1)
        if (found) return found
        if (deadline.aborted) throw new Error(this.#describeTimeout(timeoutMs))
        this.#poll ??= this.#startPoll()
        await Promise.race([this.#poll.answered, timeIsOver])
      }
    } finally {
      if (--this.#waiters === 0) this.#stopPoll()
    }
  }

  /** The queue also expires by itself some minutes after its last poll. */
  async close(): Promise<void> {
    await this.#api.deleteEventQueue({ queue_id: this.#queueId })
  }

  #startPoll(): Poll {
    const stop = new AbortController()
    const answered = this.#fetchEvents(stop.signal).finally(() => {
      if (this.#poll === poll) this.#poll = null
    })
    // Failures are ignored once no caller waits.
    answered.catch(() => {})
    const poll = { answered, stop }
    return poll
  }

  #stopPoll(): void {
    this.#poll?.stop.abort()
    this.#poll = null
  }

  async #fetchEvents(signal: AbortSignal): Promise<void> {
    const request = { queue_id: this.#queueId, last_event_id: this.#lastEventId }
    const { events } = await this.#api.getEvents(request, { signal })
    for (const event of events) {
      // An aborted poll's events are delivered again.
      if (event.id <= this.#lastEventId) continue
      this.#lastEventId = event.id
      if (event.type === 'message') this.#waiting.push(event.message)
    }
  }

  #describeTimeout(timeoutMs: number): string {
    const came = this.#waiting.map((message) => `\n  ${describeMessage(message)}`)
    const other = came.length === 0 ? ' nothing came' : ` what came:${came.join('')}`
    return `no message that matches within ${timeoutMs / 1000} s;${other}`
  }
}
