import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'
import { type AnyEndpoint, AppError, badRequest } from '@tms/contracts'
import { errorReplyOf, LEAVING_HEADER, pauseBeforeAttempt, replySuccess, traceFields } from '@tms/service-kit'
import { codedHeaders, codingOf, takesGzip } from '../compression/compression.rules.ts'
import type { UpstreamFailure } from '../kernel/metrics.ts'
import type { Call } from '../requests/call.ts'
import { collectBody } from '../requests/collect-body.ts'
import { refuseBody } from '../requests/refuse-body.ts'
import { commonHeaders, setCommonHeaders } from '../requests/response-headers.ts'
import { Attempt, type AttemptOwner, type UpstreamAttempt } from './attempt.ts'
import { emptyPollAnswer, POLL_TIMEOUT_MS, wantsAnswerAtOnce } from './empty-poll.rules.ts'
import { carriesBody, downstreamHeaders } from './forwarded-headers.rules.ts'
import type { ForwarderParts, UpstreamPoll } from './forwarder.ts'
import { type LinkedAnswer, LinkedAttempt } from './linked-attempt.ts'
import { fitsLink } from './linked-requests.rules.ts'
import { createCommentFilter, replyEndedStream } from './proxied-stream.ts'
import type { Replica, ReplicaSet } from './replica-set.ts'
import { mayResend } from './retry.rules.ts'

const NO_BODY = Buffer.alloc(0)

/**
 * One request on its way to its owner and back: as many attempts as it may have, the answer to the client, and the
 * time that both may take. A small request goes over a link, if there is one to the replica; otherwise bodies are streamed
 * both ways. Every pending poll that is a request keeps one of these, its attempt and two connections, so each field here
 * costs memory for every idle client.
 */
export class ProxiedRequest implements AttemptOwner, UpstreamPoll {
  readonly #parts: ForwarderParts
  readonly #call: Call
  readonly #endpoint: AnyEndpoint
  readonly #replicas: ReplicaSet
  /** The current or last attempt. */
  #attempt: UpstreamAttempt | null = null
  #attempts = 0
  /** All of the body, of a request for a link; until it has come, and of others, null. */
  #body: Buffer | null = null
  /** Where the body of the answer goes: to the client, or to be compressed or inflated before; null until the answer begins. */
  #output: Writable | null = null
  /** Bytes received from the client, or sent to it, since the timer began. */
  #moved = 0
  #timeoutMs: number
  /** Whether it may wait for events: a stream, or a poll without `dont_block`. */
  readonly #isLongPoll: boolean
  #timer: NodeJS.Timeout

  /** Throws if the endpoint's owner has no address, which the configuration rules out. */
  constructor(parts: ForwarderParts, call: Call) {
    const endpoint = call.endpoint
    const replicas = endpoint && parts.replicas.get(endpoint.owner)
    if (!endpoint || !replicas) throw new Error('the endpoint has no replicas')
    this.#parts = parts
    this.#call = call
    this.#endpoint = endpoint
    this.#replicas = replicas
    this.#isLongPoll = endpoint.isLongPoll && !wantsAnswerAtOnce(call.request.url ?? '')
    // A poll may have waited before, at the end of a link.
    const leftMs = call.startedAt + POLL_TIMEOUT_MS - performance.now()
    this.#timeoutMs = this.#isLongPoll ? Math.max(1, leftMs) : parts.answerTimeoutMs
    this.#timer = setTimeout(() => this.#expire(), this.#timeoutMs)
  }

  /** Begins with an attempt at this replica, or at the next one in turn. */
  start(first?: Replica): void {
    const { response } = this.#call
    response.on('close', () => this.#finish())
    this.#parts.open.add(this)
    if (this.#endpoint.isLongPoll) this.#parts.pendingPolls.add(this)
    if (this.#endpoint.isLongPoll && this.#parts.isDraining) this.endPendingPoll()
    else if (fitsLink(this.#call.request, this.#endpoint)) this.#startWhole()
    else this.#try(first)
  }

  get call(): Call {
    return this.#call
  }

  get body(): Buffer | null {
    return this.#body
  }

  get takesGzip(): boolean {
    return takesGzip(this.#call.request, this.#endpoint, this.#parts.answerCoding.hasSpaceFor('gunzip'))
  }

  /** Answers a poll whose caller isn't authenticated any more; a stream ends, and its client is refused when it comes back. */
  refusePendingPoll(error: AppError): void {
    if (this.#endOpenStream() || this.#call.response.headersSent) return
    this.#abandon()
    this.#reply(error)
  }

  /** Moves to another replica if this poll waits for the given one, which has stopped answering. */
  leave(replica: Replica): void {
    const attempt = this.#attempt
    if (!attempt || attempt.isOver || attempt.replica !== replica) return
    if (this.#endOpenStream() || this.#call.response.headersSent) return
    attempt.endTrace()
    attempt.abandon()
    this.#try()
  }

  /** Ends the attempt if the replica has sent nothing for so many checks. */
  endIfSilent(maxChecks: number): void {
    this.#attempt?.failIfSilent(maxChecks)
  }

  /** Answers a poll with no events; the client then polls again, at any replica. */
  endPendingPoll(fallbackMessage = 'The server is restarting'): void {
    const { request, response } = this.#call
    if (this.#endOpenStream() || response.headersSent) return
    this.#abandon()
    if (this.#isStream) {
      setCommonHeaders(this.#call)
      return replyEndedStream(response)
    }
    const answer = emptyPollAnswer(request.url ?? '')
    if (answer === null) return this.#refuse(fallbackMessage)
    setCommonHeaders(this.#call)
    replySuccess(response, answer, [])
  }

  onAnswer(attempt: Attempt, answer: IncomingMessage): void {
    this.#replicas.setLeaving(attempt.replica, answer.headers[LEAVING_HEADER] !== undefined)
    // A replica that is stopping, or has lost its Redis, refuses polls that another one may accept.
    const shouldTryAnother = this.#endpoint.isLongPoll && answer.statusCode === 503
    if (shouldTryAnother && this.#attempts < this.#replicas.size) {
      this.#parts.metrics.upstreamFailed(this.#endpoint.owner, 'unavailable')
      answer.resume()
      attempt.letGo()
      this.#replicas.penalize(attempt.replica)
      return this.#try()
    }
    this.#timeReading()
    const isOpenStream = this.#isStream && answer.statusCode === 200
    if (!isOpenStream) this.#parts.pendingPolls.delete(this)
    const passesOn = isOpenStream ? createCommentFilter(() => performance.now()) : null
    const { response } = this.#call
    const output = this.#begin(answer.statusCode ?? 502, answer.rawHeaders)
    // Otherwise the client would learn only with the first event that the stream is open.
    if (isOpenStream) response.flushHeaders()
    answer.on('data', (chunk: Buffer) => {
      if (output === response) this.#moved += chunk.length
      if (passesOn?.(chunk) === false || output.write(chunk)) return
      answer.pause()
      output.once('drain', () => answer.resume())
    })
    answer.once('end', () => {
      // Its connection is free for the next request; otherwise the service would wait for the rest of this one.
      if (attempt.hasSentAll) attempt.letGo()
      output.end()
    })
    // In the middle of an answer only breaking the connection signals the failure.
    answer.once('close', () => {
      if (!answer.complete && !response.writableEnded) response.destroy()
    })
  }

  onLinkedAnswer(attempt: LinkedAttempt, { status, headers, text, isWhole }: LinkedAnswer): void {
    this.#timeReading()
    this.#begin(status, headers)
    this.onLinkedPart(attempt, text, isWhole)
  }

  onLinkedPart(attempt: LinkedAttempt, text: string, isLast: boolean): void {
    const { response } = this.#call
    const output = this.#output ?? response
    if (output === response) this.#moved += text.length
    if (isLast) return void output.end(text)
    if (output.write(text)) attempt.readOn()
    else output.once('drain', () => attempt.readOn())
  }

  onFailure(attempt: UpstreamAttempt, err: Error): void {
    const { request, response } = this.#call
    if (response.headersSent) return void response.destroy()
    this.#reportFailure(attempt.failureOf(err), err)
    const pauseMs = mayResend(request.method, attempt.wasSent)
      ? pauseBeforeAttempt(this.#attempts, this.#replicas.size)
      : null
    if (pauseMs === null) return this.#refuse(`The ${this.#endpoint.owner} service does not answer`)
    if (pauseMs === 0) return this.#try()
    setTimeout(() => {
      if (!response.destroyed && !response.headersSent) this.#try()
    }, pauseMs)
  }

  /** A slow upload must not count as one that hangs. */
  onBodyRead(bytes: number): void {
    if (this.#endpoint.body !== 'fields') this.#moved += bytes
  }

  onBodyTooLarge(): void {
    this.#abandon()
    if (this.#call.response.headersSent) this.#call.response.destroy()
    else refuseBody(this.#call)
  }

  get #isStream(): boolean {
    return this.#endpoint.answer === 'event-stream'
  }

  /** Begins the answer, with the headers of the service's. Returns where its body goes. */
  #begin(status: number, headers: readonly string[]): Writable {
    const { request, response } = this.#call
    const { answerCoding } = this.#parts
    const wanted = codingOf(request, this.#endpoint, headers)
    const coding = wanted === 'gzip' && !answerCoding.hasSpaceFor('gzip') ? null : wanted
    response.writeHead(status, downstreamHeaders(codedHeaders(headers, coding), commonHeaders(this.#call)))
    this.#output = coding
      ? answerCoding.begin(response, coding, {
          onBytes: (bytes) => {
            this.#moved += bytes
          },
          onError: (err) => {
            this.#reportFailure('lost', err)
            // Only breaking the connection signals the failure.
            response.destroy()
          },
        })
      : response
    return this.#output
  }

  /** Ends a stream that has begun; its client connects again, to any replica. */
  #endOpenStream(): boolean {
    const { response } = this.#call
    if (!this.#isStream || !response.headersSent) return false
    this.#abandon()
    response.end()
    return true
  }

  /** Begins when the body has come, all of which goes into one frame. */
  #startWhole(): void {
    const begin = (body: Buffer) => {
      this.#body = body
      if (!this.#call.response.headersSent) this.#try()
    }
    const { request } = this.#call
    if (carriesBody(request)) collectBody(request, begin)
    else begin(NO_BODY)
  }

  #try(replica: Replica = this.#replicas.pick()): void {
    this.#attempts++
    this.#attempt = this.#tryOverLink(replica) ?? new Attempt(this, this.#endpoint, replica, this.#parts)
  }

  #tryOverLink(replica: Replica): LinkedAttempt | null {
    const { requestLinks, addressing } = this.#parts
    // Frames are made of texts.
    if (this.#body === null || !isUtf8(this.#body)) return null
    const link = requestLinks.linkTo(this.#endpoint.owner, replica)
    return link && new LinkedAttempt(this, this.#endpoint, link, { addressing, body: this.#body.toString() })
  }

  /** From now on the client is timed, until it has read its answer. */
  #timeReading(): void {
    this.#moved = 0
    clearTimeout(this.#timer)
    this.#timeoutMs = this.#isLongPoll ? POLL_TIMEOUT_MS : this.#parts.answerTimeoutMs
    this.#timer = setTimeout(() => this.#expire(), this.#timeoutMs)
  }

  #expire(): void {
    if (this.#moved > 0 && this.#moved >= (this.#parts.minBytesPerSecond * this.#timeoutMs) / 1000) {
      this.#moved = 0
      this.#timer.refresh()
      return
    }
    const { request, response } = this.#call
    // Nothing waits for the client: there were few events, or none.
    if (this.#isStream && response.headersSent && !response.writableNeedDrain) {
      this.#moved = 0
      this.#timer.refresh()
      return
    }
    const isClientSlow = !request.complete && this.#attempt?.canSendMore !== false
    // All of the answer is on its way to the client, or as much as it reads.
    const isStalled = response.writableNeedDrain || response.writableEnded
    this.#abandon()
    if (response.headersSent) {
      if (isStalled) this.#parts.metrics.clientRefused('slow_reader')
      else this.#reportFailure('timeout')
      return void response.destroy()
    }
    if (isClientSlow) {
      this.#parts.metrics.clientRefused('slow_request')
      return this.#reply(badRequest('The request did not come in time'))
    }
    this.#reportFailure('timeout')
    const message = `The ${this.#endpoint.owner} service did not answer in time`
    // The client polls again at another replica, and needn't know.
    if (this.#isLongPoll) this.endPendingPoll(message)
    else this.#refuse(message)
  }

  #reportFailure(reason: UpstreamFailure, err?: Error): void {
    const attempt = this.#attempt
    const { requestId } = this.#call
    const upstream = this.#endpoint.owner
    this.#parts.metrics.upstreamFailed(upstream, reason)
    const found = { requestId, upstream, host: attempt?.replica.host, reason }
    this.#parts.log.warn({ err, ...found, ...traceFields(attempt?.span) }, 'replica failed')
    if (!attempt) return
    attempt.endTrace(reason)
    this.#replicas.penalize(attempt.replica)
  }

  /** Answers that the service is unavailable, with this reason. */
  #refuse(message: string): void {
    this.#reply(new AppError('SERVICE_UNAVAILABLE', { message: `${message}; try again shortly` }))
  }

  #reply(error: AppError): void {
    if (this.#call.response.headersSent) return
    setCommonHeaders(this.#call)
    errorReplyOf(this.#call.endpoint?.answer)(this.#call.response, error)
  }

  #finish(): void {
    this.#abandon()
    this.#attempt?.endTrace()
    this.#parts.pendingPolls.delete(this)
    this.#parts.open.delete(this)
  }

  /** Ends the current attempt, and stops the time. */
  #abandon(): void {
    clearTimeout(this.#timer)
    this.#attempt?.abandon()
  }
}
