import type { RequestLinkAnswers, RequestLinkRequests } from '@tms/contracts'
import { FrameConnection, type openFrames } from '@tms/service-kit'
import { type LinkFailure, linkFailureOf, renewalOfLink } from './link-openings.ts'
import type { LinkedAttempt } from './linked-attempt.ts'
import type { Replica } from './replica-set.ts'

/** Further requests go by HTTP: too small does so in busy moments, too large lets a replica that hangs keep more of them. */
const MAX_REQUESTS = 1_000
/** The same while the replica has so much to read. */
const MAX_UNSENT_BYTES = 1024 * 1024
/** Characters of bodies after which a frame is sent before the turn's end: services read whole frames. */
const MAX_FRAME_LENGTH = 1024 * 1024

interface RequestLinkOptions {
  readonly silentMs: number
  /** Called once, before the requests that remain are moved, if the link failed. */
  readonly onFailed: (failure: LinkFailure, err: Error) => void
  /** Called when the replica has said that it is about to stop. */
  readonly onLeaving: () => void
  readonly onEnd: () => void
}

/** What of an attempt goes into a frame. */
export interface QueuedRequest {
  readonly method: string
  readonly url: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** A connection over which this gateway sends requests to a replica. Those of one turn of the event loop go in one frame, which is one write. */
export class RequestLink {
  readonly replica: Replica
  readonly #options: RequestLinkOptions
  readonly #attempts = new Map<number, LinkedAttempt>()
  readonly #renewAt = renewalOfLink()
  #connection: FrameConnection | null = null
  #lastNumber = 0
  /** Requests up to this number may have reached the replica. */
  #sentNumber = 0
  #queued: (QueuedRequest & { readonly number: number })[] = []
  #queuedLength = 0
  #cancelled: number[] = []
  #wanted: number[] = []
  #turn: NodeJS.Immediate | undefined
  #isLeaving = false
  #isOver = false

  constructor(replica: Replica, opening: ReturnType<typeof openFrames>, options: RequestLinkOptions) {
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
      },
      (err: Error) => this.#end(err),
    )
  }

  get isOpening(): boolean {
    return this.#connection === null
  }

  /** Whether a request may be sent over it now. */
  get hasRoom(): boolean {
    return (
      this.#connection !== null &&
      !this.#isRetired &&
      this.#attempts.size < MAX_REQUESTS &&
      this.#connection.unsentBytes < MAX_UNSENT_BYTES
    )
  }

  /** Whether its next frame has requests already. */
  get isGathering(): boolean {
    return this.#queued.length > 0
  }

  /** Number of requests that aren't answered. */
  get inProgress(): number {
    return this.#attempts.size
  }

  /** Sends a request at the end of this turn, and returns its number. */
  add(attempt: LinkedAttempt, request: QueuedRequest): number {
    const number = ++this.#lastNumber
    this.#attempts.set(number, attempt)
    this.#queued.push({ number, ...request })
    this.#queuedLength += request.body.length + request.url.length
    if (this.#queuedLength > MAX_FRAME_LENGTH) this.#flush()
    else this.#schedule()
    return number
  }

  /** Whether the replica may have got the request. */
  hasSent(number: number): boolean {
    return number <= this.#sentNumber
  }

  /** The request is given up. */
  cancel(number: number): void {
    if (!this.#attempts.delete(number)) return
    if (this.hasSent(number)) this.#cancelled.push(number)
    this.#schedule()
  }

  /** The client has taken what came of the answer. */
  want(number: number): void {
    this.#wanted.push(number)
    this.#schedule()
  }

  /** Ends the link if nothing more will be sent over it and everything was answered. */
  endIfUnused(): void {
    if (this.#attempts.size === 0 && this.#isRetired) this.close()
  }

  /** Ends the link. */
  close(): void {
    if (this.#isOver) return
    this.#flush()
    this.#isOver = true
    this.#connection?.end()
    this.#options.onEnd()
  }

  get #isRetired(): boolean {
    return this.#isOver || this.#isLeaving || performance.now() >= this.#renewAt
  }

  #receive([head = '{}', ...texts]: readonly string[]): void {
    const { answers, parts, broken, isLeaving } = JSON.parse(head) as RequestLinkAnswers
    if (isLeaving && !this.#isLeaving) this.#options.onLeaving()
    this.#isLeaving ||= isLeaving
    for (const [index, [number, status, headers, isWhole]] of answers.entries())
      this.#find(number, isWhole)?.onAnswer({ status, headers, text: texts[index] ?? '', isWhole })
    for (const [index, [number, isLast]] of parts.entries())
      this.#find(number, isLast)?.onPart(texts[answers.length + index] ?? '', isLast)
    for (const number of broken) this.#find(number, true)?.onLost(new Error('the answer broke off'))
    this.endIfUnused()
  }

  #find(number: number, isOver: boolean): LinkedAttempt | undefined {
    const attempt = this.#attempts.get(number)
    if (isOver) this.#attempts.delete(number)
    return attempt
  }

  #schedule(): void {
    this.#turn ??= setImmediate(() => {
      this.#flush()
      this.endIfUnused()
    })
  }

  #flush(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    // Clients may have left before.
    const queued = this.#queued.filter(({ number }) => this.#attempts.has(number))
    const frame: RequestLinkRequests = {
      requests: queued.map(({ number, method, url, headers }) => [number, method, url, headers]),
      cancelled: this.#cancelled,
      wanted: this.#wanted,
    }
    this.#queued = []
    this.#queuedLength = 0
    this.#cancelled = []
    this.#wanted = []
    if (this.#isOver) return
    this.#sentNumber = this.#lastNumber
    if (queued.length + frame.cancelled.length + frame.wanted.length > 0)
      this.#connection?.send([JSON.stringify(frame), ...queued.map(({ body }) => body)])
  }

  #end(err: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearImmediate(this.#turn)
    const attempts = [...this.#attempts.values()]
    this.#options.onEnd()
    const cause = err ?? new Error('the replica ended the link')
    if (err !== null || attempts.length > 0)
      this.#options.onFailed(linkFailureOf(err, this.#connection !== null), cause)
    for (const attempt of attempts) attempt.onLost(cause)
  }
}
