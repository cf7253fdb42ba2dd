import {
  AppError,
  type ErrorCode,
  errorTable,
  type PollLinkAnswers,
  type PollLinkRequests,
  type PollRequest,
} from '@tms/contracts'
import { FrameConnection, type openFrames } from '@tms/service-kit'
import { type LinkFailure, linkFailureOf, renewalOfLink } from './link-openings.ts'
import type { LinkedCall } from './linked-call.ts'
import { LinkedPoll } from './linked-poll.ts'
import { LinkedStream, StreamChunk } from './linked-stream.ts'
import type { Replica } from './replica-set.ts'

/**
 * A frame is sent at once, and the next after this at the earliest: after a message, thousands of clients poll again within a few
 * turns of the event loop, and a frame for each turn would cost as much as a request.
 */
const PAUSE_MS = 1
/**
 * Further polls get another link, which reaches another replica if a balancer is in between. Fewer make more frames for the same
 * events, more load replicas unevenly.
 */
const MAX_LINK_POLLS = 200

export interface PollLinkOptions {
  /** Called once, before the calls that remain are moved, if the link failed. */
  readonly onFailed: (failure: LinkFailure, err: Error) => void
  readonly onEnd: () => void
  readonly silentMs: number
}

/** A connection over which this gateway hands over polls and streams to a replica of events. What comes within a moment goes in one frame. */
export class PollLink {
  readonly replica: Replica
  readonly #options: PollLinkOptions
  readonly #calls = new Map<number, LinkedCall>()
  readonly #renewAt = renewalOfLink()
  #connection: FrameConnection | null = null
  #lastNumber = 0
  /** The replica knows the calls up to this number. */
  #sentNumber = 0
  #requests: [number: number, call: LinkedCall][] = []
  #cancelled: number[] = []
  #taken: [number: number, bytes: number][] = []
  /** Runs until the next frame may be sent. */
  #pause: NodeJS.Timeout | undefined
  #turn: NodeJS.Immediate | undefined
  #isLeaving = false
  #isOver = false

  constructor(replica: Replica, opening: ReturnType<typeof openFrames>, options: PollLinkOptions) {
    this.replica = replica
    this.#options = options
    opening.then(
      ({ socket, head }) => {
        if (this.#isOver) return void socket.destroy()
        this.#connection = new FrameConnection(socket, head, {
          silentMs: options.silentMs,
          onFrame: (texts) => this.#receive(texts),
          onEnd: (err) => this.#end(err),
        })
        this.#schedule()
      },
      (err: Error) => this.#end(err),
    )
  }

  /** Whether polls and streams may be handed over. */
  get hasRoom(): boolean {
    return !this.#isOver && !this.#isLeaving && this.#calls.size < MAX_LINK_POLLS && !this.#isOld
  }

  get calls(): Iterable<LinkedCall> {
    return this.#calls.values()
  }

  /** Hands over a poll or a stream, as soon as the link is open. */
  add(call: LinkedCall): void {
    const number = ++this.#lastNumber
    this.#calls.set(number, call)
    call.onAssigned(this, number)
    this.#requests.push([number, call])
    this.#schedule()
  }

  /** The client of a stream has taken so many bytes of events more. */
  tellTaken(number: number, bytes: number): void {
    this.#taken.push([number, bytes])
    this.#schedule()
  }

  /** The client has left, or was answered otherwise. */
  cancel(number: number): void {
    if (!this.#calls.delete(number) || number > this.#sentNumber) return
    this.#cancelled.push(number)
    this.#schedule()
  }

  /** Ends the link if it was only kept for calls that are answered by now. */
  endIfUnused(): void {
    if (this.#calls.size === 0 && !this.hasRoom) this.close()
  }

  /** Ends the link, without its calls. */
  close(): void {
    if (this.#isOver) return
    this.#flush()
    this.#isOver = true
    this.#stop()
    this.#connection?.end()
    this.#options.onEnd()
  }

  get #isOld(): boolean {
    return performance.now() >= this.#renewAt
  }

  #receive([head = '{}', ...events]: readonly string[]): void {
    const frame = JSON.parse(head) as PollLinkAnswers
    this.#isLeaving ||= frame.isLeaving
    for (const [number = 0, ...positions] of frame.answers) {
      const poll = this.#take(number)
      if (poll instanceof LinkedPoll) poll.answer(textsAt(events, positions))
    }
    const chunks = new StreamChunks(events)
    for (const [number = 0, ...positions] of frame.streamed) {
      const stream = this.#calls.get(number)
      if (stream instanceof LinkedStream) stream.write(chunks.at(positions))
    }
    for (const [number, end] of frame.ended) {
      const stream = this.#take(number)
      if (stream instanceof LinkedStream) stream.end(end)
    }
    for (const [number, code, message, details] of frame.errors) {
      const known = code in errorTable ? (code as ErrorCode) : 'INTERNAL'
      this.#take(number)?.fail(new AppError(known, { message, details }))
    }
    for (const number of frame.returned) this.#take(number)?.onReturned()
  }

  #take(number: number): LinkedCall | undefined {
    const call = this.#calls.get(number)
    this.#calls.delete(number)
    return call
  }

  #schedule(): void {
    if (this.#connection === null || this.#pause !== undefined) return
    this.#turn ??= setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#turn = undefined
    // Clients may have left before: their polls would take over from those with which they came back.
    const requests = this.#requests.filter(([number]) => this.#calls.has(number))
    const polls = requests.filter(([, call]) => call instanceof LinkedPoll).map(toRequest)
    const streams = requests.filter(([, call]) => call instanceof LinkedStream).map(toRequest)
    const [cancelled, taken] = [this.#cancelled, this.#taken]
    this.#requests = []
    this.#cancelled = []
    this.#taken = []
    this.#sentNumber = this.#lastNumber
    if (requests.length + cancelled.length + taken.length === 0) return
    this.#connection?.send([JSON.stringify({ polls, streams, cancelled, taken } satisfies PollLinkRequests)])
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#flush()
    }, PAUSE_MS)
  }

  #end(err: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop()
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    this.#options.onEnd()
    if (err !== null || calls.length > 0)
      this.#options.onFailed(
        linkFailureOf(err, this.#connection !== null),
        err ?? new Error('the replica ended the link'),
      )
    for (const call of calls) call.onLinkLost()
  }

  #stop(): void {
    clearImmediate(this.#turn)
    clearTimeout(this.#pause)
  }
}

const toRequest = ([number, { call, query }]: [number, LinkedCall]): PollRequest => [
  ...([number, call.token, call.requestId] as const),
  ...([query.queueId, query.lastEventId] as const),
]

/** The events at these positions among those of a frame. */
const textsAt = (events: readonly string[], positions: readonly number[]): string[] =>
  positions.map((position) => {
    const text = events[position]
    if (text === undefined) throw new Error(`a frame has no event ${position}`)
    return text
  })

/** The events of a frame as bytes for streams, each combination once. */
class StreamChunks {
  readonly #events: readonly string[]
  readonly #chunks = new Map<string | number, StreamChunk>()

  constructor(events: readonly string[]) {
    this.#events = events
  }

  /** Null for no events. */
  at(positions: readonly number[]): StreamChunk | null {
    const [first] = positions
    if (first === undefined) return null
    const key = positions.length === 1 ? first : positions.join()
    let chunk = this.#chunks.get(key)
    if (chunk === undefined) {
      chunk = StreamChunk.ofEvents(textsAt(this.#events, positions))
      this.#chunks.set(key, chunk)
    }
    return chunk
  }
}
