import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nowMs } from '../processes/clock.ts'
import { type FollowedQueue, Follower } from './follower.ts'
import { type Call, expectSuccess, formCall, LIKE_CLIENTS, send } from './http-call.ts'
import { StreamFollower } from './stream-follower.ts'

const CHECK_MS = 20
/** Longer than any recoverable delay: a lost poll is repeated, and a heartbeat ends one that hangs. */
const STANDSTILL_MS = 75_000
const BROADCAST_TIMEOUT_MS = 150_000
/** A client polls again as soon as it has handled what it received; a send waits until that poll must have arrived, unless thousands do so. */
const POLL_SETTLE_MS = 6

/** Long enough for the polls to be back, and never in step with a timer of the system. */
export const pauseBetweenSends = (): Promise<void> => sleep(POLL_SETTLE_MS * (1 + Math.random()))

/** The event queues that this process follows. */
export class Listeners {
  readonly #ports: readonly number[]
  readonly #sendAgent = new Agent(LIKE_CLIENTS)
  readonly #queues: FollowedQueue[] = []
  #followers: (Follower | StreamFollower)[] = []
  #failure: Error | null = null
  #received = 0
  #lastAtMs = 0
  /** Failed polls, by reason. */
  readonly #retries = new Map<string, number>()
  #lastRetry = ''
  #onMessage: ((messageId: number, atMs: number) => void) | null = null
  /** When messages arrived, by their ID; null while nothing collects them. */
  #arrivals: Map<number, number[]> | null = null

  /** Ports of gateways, used in turn. */
  constructor(ports: readonly number[]) {
    this.#ports = ports
  }

  /** Registers a queue for message events for each account, several at once. */
  async register(options: { authorizations: readonly string[]; concurrency: number }): Promise<void> {
    await forEach(options.authorizations, options.concurrency, async (authorization, left) => {
      const call = formCall(this.#portOf(left), '/api/v1/register', authorization, {
        event_types: '["message"]',
        fetch_event_types: '[]',
        apply_markdown: 'true',
      })
      const answer = JSON.parse(expectSuccess(await send(this.#sendAgent, call))) as { queue_id: string }
      this.#queues.push({ queueId: answer.queue_id, authorization, lastEventId: -1 })
    })
  }

  /** Ends polls and streams; queues stay. */
  unfollow(): void {
    for (const follower of this.#followers) follower.stop()
    this.#followers = []
  }

  /** Deletes all queues that haven't expired: those that nobody follows any more would expire during a later measurement. */
  async deleteQueues({ concurrency }: { concurrency: number }): Promise<void> {
    this.unfollow()
    await forEach(this.#queues.splice(0), concurrency, async ({ queueId, authorization }, left) => {
      const call = formCall(this.#portOf(left), '/api/v1/events', authorization, { queue_id: queueId })
      await send(this.#sendAgent, { ...call, method: 'DELETE' })
    })
  }

  /** Opens a poll, or a stream, on every queue without one. */
  async follow({ by = 'polls' }: { by?: 'polls' | 'streams' } = {}): Promise<void> {
    for (const queue of this.#queues.slice(this.#followers.length)) {
      const options = {
        port: this.#portOf(this.#followers.length),
        queue,
        onMessage: (messageId: number, atMs: number) => {
          this.#received++
          this.#lastAtMs = atMs
          this.#onMessage?.(messageId, atMs)
          if (this.#arrivals === null) return
          const arrived = this.#arrivals.get(messageId)
          if (arrived) arrived.push(atMs)
          else this.#arrivals.set(messageId, [atMs])
        },
        onRetry: (reason: string) => {
          this.#retries.set(reason, (this.#retries.get(reason) ?? 0) + 1)
          this.#lastRetry = reason
        },
        onFailure: (err: Error) => {
          this.#failure ??= err
        },
      }
      this.#followers.push(
        by === 'polls'
          ? new Follower(options)
          : new StreamFollower({ ...options, acknowledgeAgent: this.#sendAgent }),
      )
      // A thousand simultaneous connections overflow the accept queue of the gateway.
      if (this.#followers.length % 100 === 0) await sleep(10)
    }
  }

  /** The number of failed polls so far, by reason, and the reason of the last one. Throws if a queue was lost. */
  get retries(): { count: number; last: string; reasons: Record<string, number> } {
    this.#throwFailure()
    const count = [...this.#retries.values()].reduce((sum, times) => sum + times, 0)
    return { count, last: this.#lastRetry, reasons: Object.fromEntries(this.#retries) }
  }

  /** Records arrivals of messages from now on, until `takeArrivals`. */
  noteArrivals(): void {
    this.#arrivals ??= new Map()
  }

  /** How often any message arrived since the last `takeArrivals`. Throws if a queue was lost. */
  countArrivals(): number {
    this.#throwFailure()
    let count = 0
    for (const { length } of this.#arrivals?.values() ?? []) count += length
    return count
  }

  /** Returns when these messages arrived here, by message, and drops all other arrivals. */
  takeArrivals({ messageIds }: { messageIds: readonly number[] }): number[][] {
    const arrivals = messageIds.map((id) => this.#arrivals?.get(id) ?? [])
    this.#arrivals = null
    return arrivals
  }

  /**
   * Resolves when the given total of messages was received, with the time of the last. Rejects when none arrives for a long
   * while: slow is a result, lost is a failure.
   */
  async untilReceived({ count }: { count: number }): Promise<number> {
    let seen = this.#received
    let seenAt = nowMs()
    while (this.#received < count) {
      this.#throwFailure()
      if (this.#received > seen) {
        seen = this.#received
        seenAt = nowMs()
      } else if (nowMs() - seenAt > STANDSTILL_MS) {
        throw new Error(`${count - this.#received} of ${count} deliveries are missing; ${this.#lastRetry}`)
      }
      await sleep(CHECK_MS)
    }
    // One too many would be a message delivered twice.
    await sleep(CHECK_MS)
    if (this.#received > count) throw new Error(`${this.#received - count} deliveries too many`)
    return this.#lastAtMs
  }

  /**
   * Sends messages sequentially, each when every follower has the previous one. Returns, by message, the milliseconds from
   * sending to the reply, to the first arrival and to the last.
   */
  async broadcast({ call, messages }: { call: Call; messages: number }): Promise<Broadcast[]> {
    const results: Broadcast[] = []
    for (let i = 0; i < messages; i++) {
      await pauseBetweenSends()
      this.#throwFailure()
      const arrived = this.#untilAllHave()
      const startedAt = nowMs()
      const reply = await send(this.#sendAgent, call)
      expectSuccess(reply)
      const { firstAt, lastAt } = await arrived
      results.push({
        startedAt,
        replyMs: reply.ms,
        firstMs: firstAt - startedAt,
        lastMs: lastAt - startedAt,
      })
    }
    return results
  }

  async stop(): Promise<void> {
    for (const follower of this.#followers) follower.stop()
    this.#followers = []
    this.#sendAgent.destroy()
  }

  #untilAllHave(): Promise<{ firstAt: number; lastAt: number }> {
    return new Promise((resolve, reject) => {
      let missing = this.#followers.length
      let firstAt = 0
      const timer = setTimeout(
        () => reject(this.#failure ?? new Error(`${missing} deliveries are missing`)),
        BROADCAST_TIMEOUT_MS,
      )
      this.#onMessage = (_id, atMs) => {
        firstAt ||= atMs
        if (--missing > 0) return
        clearTimeout(timer)
        this.#onMessage = null
        resolve({ firstAt, lastAt: atMs })
      }
    })
  }

  #portOf(index: number): number {
    return this.#ports[index % this.#ports.length] ?? 0
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure
  }
}

export interface Broadcast {
  /** By the clock that all processes share. */
  readonly startedAt: number
  readonly replyMs: number
  readonly firstMs: number
  readonly lastMs: number
}

/** Acts on each item in order, on so many at once; `left` is the number of those that come after it. */
async function forEach<T extends string | object>(
  items: readonly T[],
  concurrency: number,
  act: (item: T, left: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const one = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await act(item, waiting.length)
  }
  await Promise.all(Array.from({ length: concurrency }, one))
}
