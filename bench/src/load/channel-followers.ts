import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nowMs } from '../processes/clock.ts'
import { ClientConnection } from './client-connection.ts'
import { type Call, LIKE_CLIENTS, send } from './http-call.ts'
import { type Broadcast, pauseBetweenSends } from './listeners.ts'

const TIMEOUT_MS = 60_000

/** Clients that long-poll one channel of nchan, which tells them by `Last-Modified` and `Etag` from where to go on. */
export class ChannelFollowers {
  readonly #port: number
  readonly #path: string
  readonly #connections: ClientConnection[] = []
  readonly #sendAgent = new Agent(LIKE_CLIENTS)
  #isStopped = false
  #onMessage: ((atMs: number) => void) | null = null
  #failure: Error | null = null

  constructor({ port, path }: { readonly port: number; readonly path: string }) {
    this.#port = port
    this.#path = path
  }

  async raiseTo(count: number): Promise<void> {
    while (this.#connections.length < count) {
      const connection = new ClientConnection(this.#port)
      this.#connections.push(connection)
      this.#poll(connection, {})
      if (this.#connections.length % 100 === 0) await sleep(10)
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
    for (const connection of this.#connections) connection.destroy()
    this.#sendAgent.destroy()
  }

  #poll(connection: ClientConnection, from: Record<string, string>): void {
    let status = 0
    let next: Record<string, string> = {}
    connection.get(this.#path, from, {
      onStart: (answerStatus, headers) => {
        status = answerStatus
        next = {
          'if-modified-since': String(headers['last-modified'] ?? ''),
          'if-none-match': String(headers.etag ?? ''),
        }
      },
      onData: () => {},
      onEnd: () => {
        if (this.#isStopped) return
        if (status !== 200) return this.#fail(new Error(`a poll was answered ${status}`))
        const atMs = nowMs()
        this.#poll(connection, next)
        this.#onMessage?.(atMs)
      },
      onError: (err) => this.#fail(err),
    })
  }

  #fail(err: Error): void {
    if (!this.#isStopped) this.#failure ??= err
  }

  #untilAllHave(): Promise<{ firstAt: number; lastAt: number }> {
    return new Promise((resolve, reject) => {
      let missing = this.#connections.length
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
