import { type Agent, request } from 'node:http'
import { nowMs } from '../processes/clock.ts'
import type { FollowerOptions } from './follower.ts'

/** Acknowledges by a request after so many events, as a client that saves its state now and then. */
const ACKNOWLEDGE_AFTER = 100
const RETRY_MS = 250
const ID = 'id: '

/** A client that has one answer open, in which its events come. */
export class StreamFollower {
  readonly #options: FollowerOptions & { readonly acknowledgeAgent: Agent }
  #unacknowledged = 0
  #rest = ''
  #isStopped = false
  #end: (() => void) | null = null

  constructor(options: FollowerOptions & { readonly acknowledgeAgent: Agent }) {
    this.#options = options
    this.#open()
  }

  stop(): void {
    this.#isStopped = true
    this.#end?.()
  }

  #open(): void {
    const { agent, port, queue } = this.#options
    const path = `/api/v1/events/stream?queue_id=${queue.queueId}&last_event_id=${this.#options.queue.lastEventId}`
    const headers = { authorization: queue.authorization, 'user-agent': 'bench' }
    this.#rest = ''
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      if (response.statusCode !== 200) {
        response.resume()
        return this.#retry(String(response.statusCode))
      }
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => this.#receive(chunk))
      response.once('close', () => this.#retry('the stream ended'))
    })
    sent.once('error', (err) => this.#retry(err.message))
    this.#end = () => sent.destroy()
    sent.end()
  }

  #retry(reason: string): void {
    if (this.#isStopped) return
    this.#options.onRetry(reason)
    const timer = setTimeout(() => this.#open(), RETRY_MS)
    this.#end = () => clearTimeout(timer)
  }

  #receive(chunk: string): void {
    const atMs = nowMs()
    const messages = (this.#rest + chunk).split('\n\n')
    this.#rest = messages.pop() ?? ''
    for (const text of messages) {
      const [idLine = '', dataLine = ''] = text.split('\n')
      if (!idLine.startsWith(ID)) continue
      const id = Number(idLine.slice(ID.length))
      if (id <= this.#options.queue.lastEventId)
        return this.#options.onFailure(new Error(`event ${id} came after ${this.#options.queue.lastEventId}`))
      this.#options.queue.lastEventId = id
      const { message } = JSON.parse(dataLine.slice('data: '.length)) as { message?: { id: number } }
      if (message) this.#options.onMessage(message.id, atMs)
      if (++this.#unacknowledged >= ACKNOWLEDGE_AFTER) this.#acknowledge()
    }
  }

  #acknowledge(): void {
    this.#unacknowledged = 0
    const { port, queue, acknowledgeAgent: agent } = this.#options
    const body = `queue_id=${queue.queueId}&last_event_id=${this.#options.queue.lastEventId}`
    const headers = {
      authorization: queue.authorization,
      'user-agent': 'bench',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    }
    const path = '/api/v1/events/acknowledge'
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent }, (response) =>
      response.resume(),
    )
    sent.once('error', (err) => this.#options.onRetry(err.message))
    sent.end(body)
  }
}
