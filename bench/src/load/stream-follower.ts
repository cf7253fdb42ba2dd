import { type Agent, request } from 'node:http'
import { nowMs } from '../processes/clock.ts'
import { type AnswerReader, ClientConnection } from './client-connection.ts'
import type { FollowerOptions } from './follower.ts'

/** Acknowledges by a request after so many events, as a client that saves its state now and then. */
const ACKNOWLEDGE_AFTER = 100
const RETRY_MS = 250
const ID = 'id: '
/** In a message event, whose message begins with its ID. To read all of the JSON took as long as everything else. */
const MESSAGE_ID = /"message":\{"id":(\d+)/

/** A client that has one answer open, in which its events come. */
export class StreamFollower implements AnswerReader {
  readonly #options: FollowerOptions & { readonly acknowledgeAgent: Agent }
  readonly #connection: ClientConnection
  #unacknowledged = 0
  #status = 0
  #rest = ''
  #isStopped = false
  #retrying: NodeJS.Timeout | undefined

  constructor(options: FollowerOptions & { readonly acknowledgeAgent: Agent }) {
    this.#options = options
    this.#connection = new ClientConnection(options.port)
    this.#open()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#retrying)
    this.#connection.destroy()
  }

  onStart(status: number): void {
    this.#status = status
    this.#rest = ''
  }

  onData(chunk: Buffer): void {
    // Only numbers are read, so a character cut in two does no harm.
    if (this.#status === 200) this.#receive(chunk.toString('latin1'))
  }

  onEnd(): void {
    if (this.#status >= 400 && this.#status < 500)
      return this.#options.onFailure(new Error(`a stream was answered ${this.#status}`))
    this.#retry(this.#status === 200 ? 'the stream ended' : String(this.#status))
  }

  onError(err: Error): void {
    this.#retry(err.message)
  }

  #open(): void {
    const { queue } = this.#options
    const path = `/api/v1/events/stream?queue_id=${queue.queueId}&last_event_id=${queue.lastEventId}`
    this.#connection.get(path, { authorization: queue.authorization, 'user-agent': 'bench' }, this)
  }

  #retry(reason: string): void {
    if (this.#isStopped) return
    this.#options.onRetry(reason)
    this.#retrying = setTimeout(() => this.#open(), RETRY_MS)
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
      const messageId = MESSAGE_ID.exec(dataLine)?.[1]
      if (messageId !== undefined) this.#options.onMessage(Number(messageId), atMs)
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
