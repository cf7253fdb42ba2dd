import type { Socket } from 'node:net'
import type { AppError } from '@tms/contracts'
import { errorReplyOf } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import { setCommonHeaders } from '../requests/response-headers.ts'
import type { UpstreamPoll } from './forwarder.ts'
import type { PollLink } from './poll-link.ts'
import type { PollQuery } from './poll-query.rules.ts'
import type { Replica } from './replica-set.ts'

/** Decides where polls and streams wait. */
interface LinkedCallOwner {
  /** Hands the call over to a replica. */
  assign(call: LinkedCall): void
  /** Sends the call as a request of its own. */
  request(call: LinkedCall): void
  /** Whether the call may go to another replica after this one could not serve it. */
  mayReassign(call: LinkedCall): boolean
  /** Called once, when the call is answered, or its client has left. */
  onOver(call: LinkedCall): void
}

/** The least time that a client has for its answer, and the rate at which it must read the rest. */
interface ReadingLimits {
  readonly answerTimeoutMs: number
  /** 0 for any rate. */
  readonly minBytesPerSecond: number
  readonly onTooSlow: () => void
  /** Called when a client that reads a stream sends too much. */
  readonly onPipelined: () => void
}

/** What the linked calls of a gateway share. */
export interface LinkedCallParts {
  readonly owner: LinkedCallOwner
  readonly limits: ReadingLimits
}

/**
 * A poll or a stream that a replica of events serves over a link. There is one for each idle client, which costs its connection to this
 * gateway, and none behind it.
 */
export abstract class LinkedCall implements UpstreamPoll {
  readonly call: Call
  readonly query: PollQuery
  /** How often it was handed over. */
  attempts = 0
  protected readonly parts: LinkedCallParts
  protected link: PollLink | null = null
  protected number = 0
  #isOver = false

  constructor(parts: LinkedCallParts, call: Call, query: PollQuery) {
    this.parts = parts
    this.call = call
    this.query = query
    call.onClosed(() => this.finish())
  }

  /** It waits at the other end of this link, under this number. */
  onAssigned(link: PollLink, number: number): void {
    this.link = link
    this.number = number
  }

  /** The replica answered with an error. One that can't work now leaves the call to another. */
  fail(error: AppError): void {
    this.link = null
    if (error.status === 503 && this.parts.owner.mayReassign(this)) this.parts.owner.assign(this)
    else this.refusePendingPoll(error)
  }

  /** A link is not for this call, or for its answer. */
  onReturned(): void {
    this.link = null
    if (!this.isOver) this.parts.owner.request(this)
  }

  /** The link is lost, or could not be opened. */
  onLinkLost(): void {
    this.link = null
    if (!this.isOver) this.moveOn()
  }

  leave(replica: Replica): void {
    if (this.link?.replica !== replica) return
    this.leaveLink()
    this.moveOn()
  }

  refusePendingPoll(error: AppError): void {
    if (!this.finish()) return
    setCommonHeaders(this.call)
    errorReplyOf(this.call.endpoint?.answer)(this.call.response, error)
  }

  /** Answers without events: the client comes back, to any replica. */
  abstract endPendingPoll(): void

  /** From now on a request serves the call. */
  detach(): void {
    this.#isOver = true
    this.parts.owner.onOver(this)
  }

  protected get isOver(): boolean {
    return this.#isOver
  }

  /** Continues without its link. */
  protected moveOn(): void {
    this.parts.owner.assign(this)
  }

  /** Returns whether the call has yet to be answered, or its answer to end. */
  protected finish(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.leaveLink()
    this.parts.owner.onOver(this)
    return true
  }

  protected leaveLink(): void {
    this.link?.cancel(this.number)
    this.link = null
  }

  /**
   * Ends the connection of a client that doesn't read its answer, of which so many bytes have yet to be written. Nearly all answers are in
   * the system's buffers at once.
   */
  protected limitReading(connection: Socket | null, unwritten = 0): void {
    const unread = unwritten + (connection?.writableLength ?? 0)
    const { answerTimeoutMs, minBytesPerSecond, onTooSlow } = this.parts.limits
    if (unread === 0 || minBytesPerSecond === 0) return
    const timer = setTimeout(
      () => {
        onTooSlow()
        connection?.destroy()
      },
      Math.max(answerTimeoutMs, (unread / minBytesPerSecond) * 1000),
    )
    this.call.onClosed(() => clearTimeout(timer))
  }
}
