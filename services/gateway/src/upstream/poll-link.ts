import type { LinkedPoll, PollLinkAnswers, PollLinkRequests } from '@tms/contracts'
import { FrameConnection, type openFrames, SilentPeerError, UpgradeRefusedError } from '@tms/service-kit'
import type { UpstreamFailure } from '../kernel/metrics.ts'
import type { HeldPoll } from './held-poll.ts'
import type { Replica } from './replica-set.ts'

/**
 * A frame is sent at once, and the next after this at the earliest: after a message, thousands of clients poll again within a few
 * turns of the event loop, and a frame for each turn would cost as much as a request.
 */
const PAUSE_MS = 1

/** Behind one name with several replicas, a link stays with one: too old links leave new replicas without polls. */
const MAX_AGE_MS = 300_000
/** Links that were opened together must not be renewed together. */
const AGE_SPREAD = 0.25
/** More polls get another link, which reaches another replica if a balancer is in between. */
const MAX_POLLS = 1_000

export interface PollLinkOptions {
  /** Called once, before the polls that remain are moved, if the link failed. */
  readonly onFailed: (failure: UpstreamFailure | 'unsupported', err: Error) => void
  readonly onEnd: () => void
  readonly silentMs: number
}

/** A connection over which this gateway hands over polls to a replica of events. What comes within a moment goes in one frame. */
export class PollLink {
  readonly replica: Replica
  readonly #options: PollLinkOptions
  readonly #polls = new Map<number, HeldPoll>()
  readonly #renewAt = performance.now() + MAX_AGE_MS * (1 - AGE_SPREAD * Math.random())
  #connection: FrameConnection | null = null
  #lastNumber = 0
  #placed: LinkedPoll[] = []
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
    return !this.#isOver && !this.#isLeaving && this.#polls.size < MAX_POLLS && !this.#isOld
  }

  get polls(): Iterable<HeldPoll> {
    return this.#polls.values()
  }

  /** Hands over a poll, as soon as the link is open. */
  add(poll: HeldPoll): void {
    const number = ++this.#lastNumber
    this.#polls.set(number, poll)
    poll.onPlaced(this, number)
    const { queueId, lastEventId } = poll.query
    this.#placed.push([number, poll.call.token, poll.call.requestId, queueId, lastEventId])
    this.#schedule()
  }

  /** The poll's client has left, or the poll was answered otherwise. */
  cancel(number: number): void {
    if (!this.#polls.delete(number)) return
    this.#cancelled.push(number)
    this.#schedule()
  }

  /** Ends the link if it is only kept for polls that are answered by now. */
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
    const { answers, returned, isLeaving } = JSON.parse(head) as PollLinkAnswers
    this.#isLeaving ||= isLeaving
    for (const [number, ...positions] of answers)
      this.#take(number)?.answer(positions.map((position) => events[position] ?? ''))
    for (const number of returned) this.#take(number)?.onReturned()
  }

  #take(number = 0): HeldPoll | undefined {
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
    if (this.#placed.length + this.#cancelled.length === 0) return
    const requests: PollLinkRequests = { polls: this.#placed, cancelled: this.#cancelled }
    this.#connection?.send([JSON.stringify(requests)])
    this.#placed = []
    this.#cancelled = []
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

  #failureOf(err: Error | null): UpstreamFailure | 'unsupported' {
    if (err instanceof UpgradeRefusedError) return err.status === 503 ? 'unavailable' : 'unsupported'
    if (err instanceof SilentPeerError) return 'silent'
    return this.#connection === null ? 'refused' : 'lost'
  }
}
