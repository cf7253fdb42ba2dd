import { nowMs } from '../processes/clock.ts'
import { type AnswerReader, ClientConnection } from './client-connection.ts'

interface Answer {
  readonly result: string
  readonly msg: string
  readonly events?: readonly { id: number; type: string; message?: { id: number } }[]
}

export interface FollowedQueue {
  readonly queueId: string
  readonly authorization: string
  /** The last event received, by whichever follower. */
  lastEventId: number
}

export interface FollowerOptions {
  readonly port: number
  readonly queue: FollowedQueue
  readonly onMessage: (messageId: number, atMs: number) => void
  /** A poll failed and is retried, as clients do. */
  readonly onRetry: (reason: string) => void
  readonly onFailure: (err: Error) => void
}

const RETRY_MS = 250

/** A client that keeps a long-poll open on its queue and acknowledges received events. */
export class Follower implements AnswerReader {
  readonly #options: FollowerOptions
  readonly #connection: ClientConnection
  #isStopped = false
  #retrying: NodeJS.Timeout | undefined
  #status = 0
  #chunks: Buffer[] = []

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#connection = new ClientConnection(options.port)
    this.#poll()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#retrying)
    this.#connection.destroy()
  }

  onStart(status: number): void {
    this.#status = status
    this.#chunks = []
  }

  onData(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onEnd(): void {
    this.#receive(this.#status, Buffer.concat(this.#chunks).toString())
  }

  onError(err: Error): void {
    this.#retry(err.message)
  }

  #poll(): void {
    const { queue } = this.#options
    const path = `/api/v1/events?queue_id=${queue.queueId}&last_event_id=${queue.lastEventId}`
    this.#connection.get(path, { authorization: queue.authorization, 'user-agent': 'bench' }, this)
  }

  #retry(reason: string): void {
    if (this.#isStopped) return
    this.#options.onRetry(reason)
    this.#retrying = setTimeout(() => this.#poll(), RETRY_MS)
  }

  #receive(status: number, text: string): void {
    const { onMessage, onFailure } = this.#options
    if (this.#isStopped) return
    if (status >= 500) return this.#retry(`${status}: ${text.slice(0, 200)}`)
    const atMs = nowMs()
    const { result, msg, events = [] } = JSON.parse(text) as Answer
    if (result !== 'success') return onFailure(new Error(`a poll failed: ${msg}`))
    for (const { id, type, message } of events) {
      if (type !== 'heartbeat' && id <= this.#options.queue.lastEventId) {
        return onFailure(new Error(`event ${id} came after ${this.#options.queue.lastEventId}`))
      }
      this.#options.queue.lastEventId = Math.max(id, this.#options.queue.lastEventId)
      if (message) onMessage(message.id, atMs)
    }
    this.#poll()
  }
}
