import { type Agent, request } from 'node:http'
import { nowMs } from '../processes/clock.ts'

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
  readonly agent: Agent
  readonly port: number
  readonly queue: FollowedQueue
  readonly onMessage: (messageId: number, atMs: number) => void
  /** A poll failed and is retried, as clients do. */
  readonly onRetry: (reason: string) => void
  readonly onFailure: (err: Error) => void
}

const RETRY_MS = 250

/** A client that keeps a long-poll open on its queue and acknowledges received events. */
export class Follower {
  readonly #options: FollowerOptions
  #isStopped = false
  #end: (() => void) | null = null

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#poll()
  }

  stop(): void {
    this.#isStopped = true
    this.#end?.()
  }

  #poll(): void {
    const { agent, port, queue } = this.#options
    const path = `/api/v1/events?queue_id=${queue.queueId}&last_event_id=${this.#options.queue.lastEventId}`
    const headers = { authorization: queue.authorization, 'user-agent': 'bench' }
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => this.#receive(response.statusCode ?? 0, text))
    })
    sent.once('error', (err) => this.#retry(err.message))
    this.#end = () => sent.destroy()
    sent.end()
  }

  #retry(reason: string): void {
    if (this.#isStopped) return
    this.#options.onRetry(reason)
    const timer = setTimeout(() => this.#poll(), RETRY_MS)
    this.#end = () => clearTimeout(timer)
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
