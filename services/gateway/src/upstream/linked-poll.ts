import { type AppError, pollAnswer } from '@tms/contracts'
import { errorReplyOf, replySuccess, SerializedFields } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import { commonHeaders, setCommonHeaders } from '../requests/response-headers.ts'
import type { UpstreamPoll } from './forwarder.ts'
import type { PollLink } from './poll-link.ts'
import type { PollQuery } from './poll-query.rules.ts'
import type { Replica } from './replica-set.ts'

/** Decides where polls wait. */
interface PollOwner {
  /** Hands the poll over to a replica. */
  assign(poll: LinkedPoll): void
  /** Sends the poll as a request of its own. */
  request(poll: LinkedPoll): void
  /** Whether the poll may go to another replica after this one could not serve it. */
  mayReassign(poll: LinkedPoll): boolean
  /** Called once, when the poll is answered, or its client has left. */
  onOver(poll: LinkedPoll): void
}

/** The least time that a client has for its answer, and the rate at which it must read the rest. */
export interface ReadingLimits {
  readonly answerTimeoutMs: number
  /** 0 for any rate. */
  readonly minBytesPerSecond: number
  readonly onTooSlow: () => void
}

/**
 * A poll that a replica of events answers over a link. There is one for each idle client, which costs its connection to this gateway, and
 * none behind it.
 */
export class LinkedPoll implements UpstreamPoll {
  readonly call: Call
  readonly query: PollQuery
  /** How often it was handed over. */
  attempts = 0
  readonly #owner: PollOwner
  readonly #limits: ReadingLimits
  #link: PollLink | null = null
  #number = 0
  #isOver = false

  constructor(owner: PollOwner, limits: ReadingLimits, call: Call, query: PollQuery) {
    this.#owner = owner
    this.#limits = limits
    this.call = call
    this.query = query
    call.response.on('close', () => this.#finish())
  }

  /** It waits at the other end of this link, under this number. */
  onAssigned(link: PollLink, number: number): void {
    this.#link = link
    this.#number = number
  }

  /** Answers with these events, each as JSON. */
  answer(texts: readonly string[]): void {
    if (!this.#finish()) return
    const fields = new SerializedFields(pollAnswer(this.query.queueId, texts))
    replySuccess(this.call.response, fields, [], commonHeaders(this.call))
    this.#limitReading()
  }

  /** The replica answered with an error. One that can't work now leaves the poll to another. */
  fail(error: AppError): void {
    this.#link = null
    if (error.status === 503 && this.#owner.mayReassign(this)) this.#owner.assign(this)
    else this.refusePendingPoll(error)
  }

  /** A link is not for this poll, or for its answer. */
  onReturned(): void {
    this.#link = null
    if (!this.#isOver) this.#owner.request(this)
  }

  /** The link is lost, or could not be opened. */
  onLinkLost(): void {
    this.#link = null
    if (!this.#isOver) this.#owner.assign(this)
  }

  leave(replica: Replica): void {
    if (this.#link?.replica !== replica) return
    this.#leaveLink()
    this.#owner.assign(this)
  }

  refusePendingPoll(error: AppError): void {
    if (!this.#finish()) return
    setCommonHeaders(this.call)
    errorReplyOf(this.call.endpoint?.answer)(this.call.response, error)
  }

  endPendingPoll(): void {
    this.answer([])
  }

  /** From now on a request serves the call. */
  detach(): void {
    this.#isOver = true
    this.#owner.onOver(this)
  }

  /** Returns whether the call has yet to be answered. */
  #finish(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#leaveLink()
    this.#owner.onOver(this)
    return true
  }

  #leaveLink(): void {
    this.#link?.cancel(this.#number)
    this.#link = null
  }

  /** Ends the connection of a client that doesn't read its answer. Nearly all answers are in the system's buffers at once. */
  #limitReading(): void {
    const { response } = this.call
    const unread = response.socket?.writableLength ?? 0
    const { answerTimeoutMs, minBytesPerSecond, onTooSlow } = this.#limits
    if (unread === 0 || minBytesPerSecond === 0) return
    const timer = setTimeout(
      () => {
        onTooSlow()
        response.destroy()
      },
      Math.max(answerTimeoutMs, (unread / minBytesPerSecond) * 1000),
    )
    response.on('close', () => clearTimeout(timer))
  }
}
