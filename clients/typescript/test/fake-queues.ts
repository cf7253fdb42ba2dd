import type { ServerResponse } from 'node:http'
import {
  type FakeServer,
  type ReceivedRequest,
  type RequestHandler,
  refuse,
  startFakeServer,
  succeed,
} from './fake-server.ts'

interface Event {
  readonly id: number
  readonly type: string
  readonly [field: string]: unknown
}

interface Queue {
  readonly events: Event[]
  poll: { readonly lastEventId: number; readonly response: ServerResponse } | null
  stream: ServerResponse | null
}

const HEARTBEAT = 'heartbeat'

/** A server of event queues that can be made to fail. */
export class FakeQueues {
  readonly server: FakeServer
  /** The queues that exist. */
  readonly queues = new Map<string, Queue>()
  readonly registered: Readonly<Record<string, string>>[] = []
  /** Faults answer the next request to their path. */
  readonly #faults: { readonly path: string; readonly answer: RequestHandler }[] = []
  readonly #changed: (() => void)[] = []
  /** IDs that clients of streams have acknowledged. */
  readonly acknowledged: number[] = []
  /** Whether register says that there are streams. */
  hasStreams = false
  #lastId = 0

  constructor(server: FakeServer) {
    this.server = server
    server.answer = (request, response) => this.#answer(request, response)
  }

  static async start(): Promise<FakeQueues> {
    return new FakeQueues(await startFakeServer())
  }

  /** Answers the next request to this path below /api/v1. */
  failNext(path: string, answer: RequestHandler): void {
    this.#faults.push({ path: `/api/v1${path}`, answer })
  }

  /** Publishes an event to all queues. */
  publish(type: string, fields: object = {}): void {
    this.#lastId += 10
    for (const queue of this.queues.values()) {
      queue.events.push({ id: this.#lastId, type, ...fields })
      this.#flush(queue)
    }
    this.#notice()
  }

  sendHeartbeats(): void {
    for (const { poll } of this.queues.values()) {
      if (poll) succeed(poll.response, { events: [{ id: poll.lastEventId, type: HEARTBEAT }] })
    }
  }

  /** Drops all queues, as if they had been idle for too long. */
  dropAll(): void {
    const polls = [...this.queues.values()].map(({ poll }) => poll)
    this.queues.clear()
    for (const poll of polls) if (poll) refuse(poll.response, 400, 'BAD_EVENT_QUEUE_ID')
  }

  /** Closes the connections of pending polls, as if their process died. */
  dropConnections(): void {
    for (const queue of this.queues.values()) {
      queue.poll?.response.socket?.destroy()
      queue.stream?.socket?.destroy()
      queue.poll = null
      queue.stream = null
    }
  }

  /** Resolves when the condition holds. */
  async waitUntil(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#changed.push(resolve))
  }

  get isStreamed(): boolean {
    return [...this.queues.values()].some(({ stream }) => stream !== null)
  }

  /** Writes to the open streams. */
  write(text: string): void {
    for (const { stream } of this.queues.values()) stream?.write(text)
  }

  get isPolled(): boolean {
    return [...this.queues.values()].some(({ poll }) => poll !== null)
  }

  #answer(request: ReceivedRequest, response: ServerResponse): unknown {
    try {
      const at = this.#faults.findIndex(({ path }) => path === request.path)
      const [fault] = at < 0 ? [] : this.#faults.splice(at, 1)
      return (fault?.answer ?? this.answerNormally)(request, response)
    } finally {
      this.#notice()
    }
  }

  readonly answerNormally: RequestHandler = ({ method, path, fields }, response) => {
    if (path === '/api/v1/register') {
      this.registered.push(fields)
      const queue_id = `queue ${this.registered.length}`
      this.queues.set(queue_id, { events: [], poll: null, stream: null })
      const state = {
        event_queue_longpoll_timeout_seconds: 90,
        max_message_id: this.#lastId,
        ...(this.hasStreams && { event_stream_available: true }),
      }
      return succeed(response, { queue_id, last_event_id: -1, ...state })
    }
    const id = fields['queue_id'] ?? ''
    const queue = this.queues.get(id)
    if (!queue) return refuse(response, 400, 'BAD_EVENT_QUEUE_ID', { queue_id: id })
    if (method === 'DELETE') {
      this.queues.delete(id)
      return succeed(response)
    }
    const lastEventId = Number(fields['last_event_id'])
    if (path === '/api/v1/events/acknowledge') {
      this.acknowledged.push(lastEventId)
      return succeed(response)
    }
    if (path === '/api/v1/events/stream') return this.#openStream(queue, lastEventId, response)
    queue.poll = { lastEventId, response }
    response.once('close', () => {
      if (queue.poll?.response === response) queue.poll = null
      this.#notice()
    })
    while (queue.events[0] && queue.events[0].id <= lastEventId) queue.events.shift()
    this.#flush(queue)
  }

  #openStream(queue: Queue, lastEventId: number, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    queue.stream = response
    response.once('close', () => {
      if (queue.stream === response) queue.stream = null
      this.#notice()
    })
    while (queue.events[0] && queue.events[0].id <= lastEventId) queue.events.shift()
    for (const event of queue.events) response.write(messageOf(event))
  }

  #flush(queue: Queue): void {
    queue.stream?.write(messageOf(queue.events.at(-1) as Event))
    if (!queue.poll || queue.events.length === 0) return
    const { response } = queue.poll
    queue.poll = null
    succeed(response, { events: queue.events })
  }

  #notice(): void {
    for (const resolve of this.#changed.splice(0)) resolve()
  }
}

const messageOf = (event: Event): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
