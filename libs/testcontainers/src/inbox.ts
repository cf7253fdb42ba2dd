import type { Answer, Call, Method } from './call-api.ts'
import { describeMessage, type Message } from './messages.ts'

type Ask = (method: Method, path: string, call?: Call) => Promise<Answer>

interface Event {
  readonly id: number
  readonly type: string
  readonly message?: Message
}

const DEFAULT_TIMEOUT_MS = 15_000

/** The messages that somebody gets, from the moment on at which it was opened: an event queue of the API. */
export class Inbox {
  readonly #ask: Ask
  readonly #queueId: string
  #lastEventId: number
  /** Came, and nobody asked for them. */
  #waiting: Message[] = []

  private constructor(ask: Ask, queueId: string, lastEventId: number) {
    this.#ask = ask
    this.#queueId = queueId
    this.#lastEventId = lastEventId
  }

  /** Whatever is sent after this has resolved will come. */
  static async open(ask: Ask): Promise<Inbox> {
    const answer = await ask('POST', '/register', {
      parameters: { event_types: ['message'], apply_markdown: false, all_public_streams: false },
    })
    return new Inbox(ask, String(answer['queue_id']), Number(answer['last_event_id']))
  }

  /**
   * The first message that fits and that wasn't taken before; others stay for later calls. Throws, saying what came instead,
   * when none comes in time.
   */
  async next(
    fits: (message: Message) => boolean = () => true,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<Message> {
    const signal = AbortSignal.timeout(timeoutMs)
    for (;;) {
      const index = this.#waiting.findIndex(fits)
      const [found] = index < 0 ? [] : this.#waiting.splice(index, 1)
      if (found) return found
      try {
        await this.#poll(signal)
      } catch (err) {
        if (!signal.aborted) throw err
        throw new Error(this.#describeLack(timeoutMs), { cause: err })
      }
    }
  }

  /** The queue ends by itself, too, some minutes after it was last asked. */
  async close(): Promise<void> {
    await this.#ask('DELETE', '/events', { parameters: { queue_id: this.#queueId } })
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const parameters = { queue_id: this.#queueId, last_event_id: this.#lastEventId }
    const answer = await this.#ask('GET', '/events', { parameters, signal })
    for (const event of answer['events'] as Event[]) {
      this.#lastEventId = Math.max(this.#lastEventId, event.id)
      if (event.type === 'message' && event.message) this.#waiting.push(event.message)
    }
  }

  #describeLack(timeoutMs: number): string {
    const came = this.#waiting.map((message) => `\n  ${describeMessage(message)}`)
    const other = came.length === 0 ? ' nothing came' : ` what came:${came.join('')}`
    return `no message that fits within ${timeoutMs / 1000} s;${other}`
  }
}
