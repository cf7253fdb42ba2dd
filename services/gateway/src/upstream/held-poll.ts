import { type AppError, pollAnswer } from '@tms/contracts'
import { errorReplyOf, replySuccess, SerializedFields } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import { commonHeaders, setCommonHeaders } from '../requests/response-headers.ts'
import type { UpstreamPoll } from './forwarder.ts'
import type { PollQuery } from './linked-poll.rules.ts'
import type { PollLink } from './poll-link.ts'
import type { Replica } from './replica-set.ts'

/** Where polls go when they have none. */
interface HeldPollOwner {
  /** Hands the poll over to another replica. */
  place(poll: HeldPoll): void
  /** Sends the poll as a request of its own. */
  request(poll: HeldPoll): void
  /** Called once, when the poll is answered, or its client has left. */
  onOver(poll: HeldPoll): void
}

/**
 * A poll that this gateway holds while a replica of events waits for its events. There is one for every idle client, which costs
 * its connection to this gateway, and no other.
 */
export class HeldPoll implements UpstreamPoll {
  readonly call: Call
  readonly query: PollQuery
  /** How often it was handed over. */
  attempts = 0
  readonly #owner: HeldPollOwner
  #link: PollLink | null = null
  #number = 0
  #isOver = false

  constructor(owner: HeldPollOwner, call: Call, query: PollQuery) {
    this.#owner = owner
    this.call = call
    this.query = query
    call.response.on('close', () => this.#finish())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** It waits at the other end of this link, under this number. */
  onPlaced(link: PollLink, number: number): void {
    this.#link = link
    this.#number = number
  }

  /** Answers with these events, each as JSON. */
  answer(texts: readonly string[]): void {
    if (!this.#finish()) return
    const fields = new SerializedFields(pollAnswer(this.query.queueId, texts))
    replySuccess(this.call.response, fields, [], commonHeaders(this.call))
  }

  /** The replica refuses it, or its answer is too large for a link. */
  onReturned(): void {
    this.#link = null
    if (!this.#isOver) this.#owner.request(this)
  }

  /** The link is lost, or could not be opened. */
  onLinkLost(): void {
    this.#link = null
    if (!this.#isOver) this.#owner.place(this)
  }

  leave(replica: Replica): void {
    if (this.#link?.replica !== replica) return
    this.#leaveLink()
    this.#owner.place(this)
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
  release(): void {
    this.#isOver = true
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
}
