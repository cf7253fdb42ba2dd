import {
  AppError,
  type ErrorCode,
  errorTable,
  type PollLinkAnswers,
  type PollLinkRequests,
  type PollRequest,
} from '@tms/contracts'
import { FrameConnection, type openFrames, SilentPeerError, UpgradeRefusedError } from '@tms/service-kit'
import type { UpstreamFailure } from '../kernel/metrics.ts'
import type { LinkedPoll } from './linked-poll.ts'
import type { Replica } from './replica-set.ts'

/**
 * A frame is sent at once, and the next after this at the earliest: after a message, thousands of clients poll again within a few
 * turns of the event loop, and a frame for each turn would cost as much as a request.
 */
const PAUSE_MS = 1
/** Behind one name with several replicas, a link stays with one: if links get too old, new replicas stay without polls. */
const MAX_AGE_MS = 300_000
/** Links that were opened together must not be renewed together. */
const AGE_SPREAD = 0.25
/**
 * Further polls get another link, which reaches another replica if a balancer is in between. Fewer make more frames for the same
 * events, more load replicas unevenly.
 */
const MAX_LINK_POLLS = 200
/** Answers of a replica that knows no links, or not this protocol. */
const UNSUPPORTED_STATUSES = [404, 426]

export type LinkFailure = UpstreamFailure | 'unsupported'

export interface PollLinkOptions {
  /** Called once, before the polls that remain are moved, if the link failed. */
  readonly onFailed: (failure: LinkFailure, err: Error) => void
  readonly onEnd: () => void
  readonly silentMs: number
}

/** A connection over which this gateway hands over polls to a replica of events. What comes within a moment goes in one frame. */
export class PollLink {
  readonly replica: Replica
  readonly #options: PollLinkOptions
  readonly #polls = new Map<number, LinkedPoll>()
  readonly #renewAt = performance.now() + MAX_AGE_MS * (1 - AGE_SPREAD * Math.random())
  #connection: FrameConnection | null = null
  #lastNumber = 0
  /** The replica knows the polls up to this number. */
  #sentNumber = 0
  #requests: PollRequest[] = []
  #cancelled: number[] = []
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

  /** Whether polls may be handed over. */
  get hasRoom(): boolean {
    return !this.#isOver && !this.#isLeaving && this.#polls.size < MAX_LINK_POLLS && !this.#isOld
  }

  get polls(): Iterable<LinkedPoll> {
    return this.#polls.values()
  }

  /** Hands over a poll, as soon as the link is open. */
  add(poll: LinkedPoll): void {
    const number = ++this.#lastNumber
    this.#polls.set(number, poll)
    poll.onAssigned(this, number)
    const { queueId, lastEventId } = poll.query
    this.#requests.push([number, poll.call.token, poll.call.requestId, queueId, lastEventId])
    this.#schedule()
  }

  /** The poll's client has left, or the poll was answered otherwise. */
  cancel(number: number): void {
    if (!this.#polls.delete(number) || number > this.#sentNumber) return
    this.#cancelled.push(number)
    this.#schedule()
  }

  /** Ends the link if it was only kept for polls that are answered by now. */
  endIfUnused(): void {
    if (this.#polls.size === 0 && !this.hasRoom) this.close()
  }

  /** Ends the link, without its polls. */
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
    const { answers, errors, returned, isLeaving } = JSON.parse(head) as PollLinkAnswers
    this.#isLeaving ||= isLeaving
    for (const [number, ...positions] of answers) {
      const texts = positions.map((position) => {
        const text = events[position]
        if (text === undefined) throw new Error(`a frame has no event ${position}`)
        return text
      })
      this.#take(number)?.answer(texts)
    }
    for (const [number, code, message, details] of errors) {
      const known = code in errorTable ? (code as ErrorCode) : 'INTERNAL'
      this.#take(number)?.fail(new AppError(known, { message, details }))
    }
    for (const number of returned) this.#take(number)?.onReturned()
  }

  #take(number = 0): LinkedPoll | undefined {
    const poll = this.#polls.get(number)
    this.#polls.delete(number)
    return poll
  }

  #schedule(): void {
    if (this.#connection === null || this.#pause !== undefined) return
    this.#turn ??= setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#turn = undefined
    // Clients may have left before: their polls would take over from those with which they came back.
    const polls = this.#requests.filter(([number]) => this.#polls.has(number))
    const cancelled = this.#cancelled
    this.#requests = []
    this.#cancelled = []
    this.#sentNumber = this.#lastNumber
    if (polls.length + cancelled.length === 0) return
    this.#connection?.send([JSON.stringify({ polls, cancelled } satisfies PollLinkRequests)])
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#flush()
    }, PAUSE_MS)
  }

  #end(err: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop()
    const polls = [...this.#polls.values()]
    this.#polls.clear()
    this.#options.onEnd()
    if (err !== null || polls.length > 0)
      this.#options.onFailed(this.#failureOf(err), err ?? new Error('the replica ended the link'))
    for (const poll of polls) poll.onLinkLost()
  }

  #stop(): void {
    clearImmediate(this.#turn)
    clearTimeout(this.#pause)
  }

  #failureOf(err: Error | null): LinkFailure {
    if (err instanceof UpgradeRefusedError) {
      if (UNSUPPORTED_STATUSES.includes(err.status)) return 'unsupported'
      return err.status >= 500 ? 'unavailable' : 'refused'
    }
    if (err instanceof SilentPeerError) return 'silent'
    return this.#connection === null ? 'refused' : 'lost'
  }
}
