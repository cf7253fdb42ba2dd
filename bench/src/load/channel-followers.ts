import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nowMs } from '../processes/clock.ts'
import { type Call, LIKE_CLIENTS, send } from './http-call.ts'
import { type Broadcast, pauseBetweenSends } from './listeners.ts'

const TIMEOUT_MS = 60_000

/** Clients that long-poll one channel of nchan, which tells them by `Last-Modified` and `Etag` from where to go on. */
export class ChannelFollowers {
  readonly #port: number
  readonly #path: string
  readonly #agent = new Agent(LIKE_CLIENTS)
  readonly #sendAgent = new Agent(LIKE_CLIENTS)
  #count = 0
  #isStopped = false
  #onMessage: ((atMs: number) => void) | null = null
  #failure: Error | null = null

  constructor({ port, path }: { readonly port: number; readonly path: string }) {
    this.#port = port
    this.#path = path
  }

  async raiseTo(count: number): Promise<void> {
    for (; this.#count < count; this.#count++) {
      this.#poll({})
      if (this.#count % 100 === 0) await sleep(10)
    }
  }

  /** Publishes messages sequentially, each when every client has the one before, as `Listeners.broadcast` does. */
  async broadcast({
    call,
    messages,
  }: {
    readonly call: Call
    readonly messages: number
  }): Promise<Broadcast[]> {
    const results: Broadcast[] = []
    for (let i = 0; i < messages; i++) {
      await pauseBetweenSends()
      const arrived = this.#untilAllHave()
      const startedAt = nowMs()
      const reply = await send(this.#sendAgent, call)
      if (reply.status >= 300) throw new Error(`publishing was answered ${reply.status}`)
      const { firstAt, lastAt } = await arrived
      results.push({ startedAt, replyMs: reply.ms, firstMs: firstAt - startedAt, lastMs: lastAt - startedAt })
    }
    return results
  }

  stop(): void {
    this.#isStopped = true
    this.#agent.destroy()
    this.#sendAgent.destroy()
  }

  #poll(from: Record<string, string>): void {
    const sent = request(
      { host: '127.0.0.1', port: this.#port, path: this.#path, headers: from, agent: this.#agent },
      (response) => {
        response.resume()
        response.once('end', () => this.#receive(response))
      },
    )
    sent.once('error', (err) => this.#fail(err))
    sent.end()
  }

  #receive({ statusCode, headers }: IncomingMessage): void {
    if (this.#isStopped) return
    if (statusCode !== 200) return this.#fail(new Error(`a poll was answered ${statusCode}`))
    const atMs = nowMs()
    this.#poll({
      'if-modified-since': headers['last-modified'] ?? '',
      'if-none-match': headers.etag ?? '',
    })
    this.#onMessage?.(atMs)
  }

  #fail(err: Error): void {
    if (!this.#isStopped) this.#failure ??= err
  }

  #untilAllHave(): Promise<{ firstAt: number; lastAt: number }> {
    return new Promise((resolve, reject) => {
      let missing = this.#count
      let firstAt = 0
      const timer = setTimeout(
        () => reject(this.#failure ?? new Error(`${missing} clients got no message`)),
        TIMEOUT_MS,
      )
      this.#onMessage = (atMs) => {
        firstAt ||= atMs
        if (--missing > 0) return
        clearTimeout(timer)
        this.#onMessage = null
        resolve({ firstAt, lastAt: atMs })
      }
    })
  }
}
