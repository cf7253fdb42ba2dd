import type { AnyEndpoint } from '@tms/contracts'
import { headersOf, markFailed, type OpenSpan, SilentPeerError } from '@tms/service-kit'
import type { UpstreamFailure } from '../kernel/metrics.ts'
import type { ClientAddressing } from '../requests/client-address.rules.ts'
import type { AttemptOwner, UpstreamAttempt } from './attempt.ts'
import { upstreamHeaders } from './forwarded-headers.rules.ts'
import type { Replica } from './replica-set.ts'
import type { RequestLink } from './request-link.ts'
import { startAttemptSpan } from './trace-attempt.ts'

/** The beginning of an answer, or all of it. */
export interface LinkedAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly text: string
  readonly isWhole: boolean
}

/** One attempt of a request at one replica, over a link. Once it is over it reports nothing more. */
export class LinkedAttempt implements UpstreamAttempt {
  readonly replica: Replica
  readonly #owner: AttemptOwner
  readonly #link: RequestLink
  readonly #number: number
  #trace: OpenSpan | null
  #isOver = false

  /** `body` is all of the request's body. */
  constructor(
    owner: AttemptOwner,
    endpoint: AnyEndpoint,
    link: RequestLink,
    { addressing, body }: { readonly addressing: ClientAddressing; readonly body: string },
  ) {
    const { call } = owner
    const { replica } = link
    this.replica = replica
    this.#owner = owner
    this.#link = link
    this.#trace = startAttemptSpan(call, endpoint, replica)
    const { method = 'GET', url = '/' } = call.request
    const headers = upstreamHeaders(call, replica.host, addressing, this.#trace && headersOf(this.#trace))
    this.#number = link.add(this, { method, url, headers, body })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get wasSent(): boolean {
    return this.#link.hasSent(this.#number)
  }

  /** All of it was there before it began. */
  get canSendMore(): boolean {
    return false
  }

  get span(): OpenSpan['span'] | undefined {
    return this.#trace?.span
  }

  /** The link notices that itself. */
  failIfSilent(): void {}

  failureOf(err: Error): UpstreamFailure {
    if (err instanceof SilentPeerError) return 'silent'
    return this.wasSent ? 'lost' : 'refused'
  }

  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#link.cancel(this.#number)
  }

  endTrace(failure?: UpstreamFailure): void {
    if (this.#trace && failure) markFailed(this.#trace.span, failure)
    this.#trace?.span.end()
    this.#trace = null
  }

  /** The client has taken what came of the answer. */
  readOn(): void {
    if (!this.#isOver) this.#link.want(this.#number)
  }

  /** Called by the link when the answer, or its beginning, has come. */
  onAnswer(answer: LinkedAnswer): void {
    this.#isOver = answer.isWhole
    this.#trace?.span.setAttribute('http.response.status_code', answer.status)
    this.endTrace()
    this.#owner.onLinkedAnswer(this, answer)
  }

  /** Called by the link when a further part of the answer has come. */
  onPart(text: string, isLast: boolean): void {
    this.#isOver = isLast
    this.#owner.onLinkedPart(this, text, isLast)
  }

  /** Called by the link when nothing more comes. */
  onLost(err: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#owner.onFailure(this, err)
  }
}
