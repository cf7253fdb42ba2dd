import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type AnyEndpoint, AppError, badRequest, maxBodyBytesOf, queueTiming } from '@tms/contracts'
import {
  connectedEvent,
  headersOf,
  markFailed,
  type OpenSpan,
  pauseBeforeAttempt,
  replyError,
  replySuccess,
  requestBy,
  traceFields,
} from '@tms/service-kit'
import type { UpstreamFailure } from '../metrics.ts'
import type { Call } from '../requests/call.ts'
import { refuseBody } from '../requests/refuse-body.ts'
import { commonHeaders, setCommonHeaders } from '../requests/response-headers.ts'
import { emptyPollAnswer, wantsAnswerAtOnce } from './empty-poll.rules.ts'
import { carriesBody, downstreamHeaders, upstreamHeaders } from './forwarded-headers.rules.ts'
import type { ForwarderParts } from './forwarder.ts'
import type { Replica, ReplicaSet } from './replica-set.ts'
import { mayResend } from './retry.rules.ts'
import { startAttemptSpan } from './trace-attempt.ts'

/** Before the client's own timeout, so that it gets an answer rather than none. */
const POLL_TIMEOUT_MS = (queueTiming.longpollTimeoutSeconds - 5) * 1000
/**
 * A replica that doesn't accept a connection by then is skipped: too small skips a busy one, too large delays
 * clients.
 */
const CONNECT_TIMEOUT_MS = 2_000

/** The replica sends nothing, not even that it works on the request: its host is lost, or it hangs. */
class SilentReplicaError extends Error {}

/**
 * One request on its way to its owner and back. Bodies are streamed both ways. Every pending poll keeps one of these
 * and two connections, so each field here costs memory for every idle client.
 */
export class ProxiedRequest {
  readonly #parts: ForwarderParts
  readonly #call: Call
  readonly #endpoint: AnyEndpoint
  readonly #replicas: ReplicaSet
  /** The current attempt; events of earlier ones are ignored. */
  #upstream: ClientRequest | null = null
  #replica: Replica | null = null
  /** Of the current attempt. */
  #trace: OpenSpan | null = null
  #attempts = 0
  #wasSent = false
  /** Bytes received over the replica's connection at the last check, and the number of checks without more since. */
  #bytesRead = -1
  #silentChecks = 0
  /** Bytes received from the client, or sent to it, since the timer began. */
  #moved = 0
  readonly #timeoutMs: number
  /** Whether it may wait for events: a poll without `dont_block`. */
  readonly #isLongPoll: boolean
  #timer: NodeJS.Timeout
  /** Runs until a replica has accepted. */
  #connectTimer: NodeJS.Timeout | undefined

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
    this.#timeoutMs = this.#isLongPoll ? POLL_TIMEOUT_MS : parts.answerTimeoutMs
    this.#timer = setTimeout(() => this.#expire(), this.#timeoutMs)
  }

  start(): void {
    const { response } = this.#call
    response.on('close', () => this.#finish())
    this.#parts.open.add(this)
    if (this.#endpoint.isLongPoll) this.#parts.pendingPolls.add(this)
    if (this.#endpoint.isLongPoll && this.#parts.isDraining) this.endPendingPoll()
    else this.#attempt()
  }

  get call(): Call {
    return this.#call
  }

  /** Answers a poll whose caller isn't authenticated any more. */
  refusePendingPoll(error: AppError): void {
    if (this.#call.response.headersSent) return
    this.#abandon()
    this.#reply(error)
  }

  /** Moves to another replica if this poll waits for the given one, which has stopped answering. */
  leave(replica: Replica): void {
    if (this.#replica !== replica || this.#upstream === null || this.#call.response.headersSent) return
    const silent = this.#upstream
    this.#upstream = null
    this.#stopConnecting()
    this.#endTrace()
    silent.destroy()
    this.#wasSent = false
    this.#attempt()
  }

  /**
   * Ends the attempt if the replica has sent nothing for so many checks. A client that reads its answer slowly also
   * stops the replica, which doesn't count.
   */
  endIfSilent(maxChecks: number): void {
    const upstream = this.#upstream
    if (upstream === null || !this.#wasSent) return
    const bytesRead = upstream.socket?.bytesRead ?? -1
    const isSilent = bytesRead === this.#bytesRead && !this.#call.response.writableNeedDrain
    this.#bytesRead = bytesRead
    this.#silentChecks = isSilent ? this.#silentChecks + 1 : 0
    if (this.#silentChecks >= maxChecks) upstream.destroy(new SilentReplicaError('the replica is silent'))
  }

  /** Answers a poll with no events; the client then polls again, at any replica. */
  endPendingPoll(fallbackMessage = 'The server is restarting'): void {
    const { request, response } = this.#call
    if (response.headersSent) return
    this.#abandon()
    const answer = emptyPollAnswer(request.url ?? '')
    if (answer === null) return this.#refuse(fallbackMessage)
    setCommonHeaders(this.#call)
    replySuccess(response, answer, [])
  }

  #attempt(): void {
    const { request } = this.#call
    const replica = this.#replicas.pick()
    this.#replica = replica
    this.#attempts++
    this.#bytesRead = -1
    this.#silentChecks = 0
    if (this.#call.trace) this.#trace = startAttemptSpan(this.#call, this.#endpoint, replica)
    const upstream = requestBy(replica.isTls)({
      agent: this.#parts.agents.of(replica.isTls),
      timeout: 0,
      host: replica.hostname,
      port: replica.port,
      method: request.method,
      path: request.url,
      headers: upstreamHeaders(
        this.#call,
        replica.host,
        this.#parts.addressing,
        this.#trace && headersOf(this.#trace),
      ),
    })
    this.#upstream = upstream
    // Each event comes once, but `once` would keep more memory.
    upstream.on('socket', (socket: Socket) => this.#onSocket(upstream, socket, replica))
    upstream.on('response', (answer) => this.#onAnswer(upstream, answer))
    upstream.on('error', (err: NodeJS.ErrnoException) => this.#onError(upstream, err))
    if (!carriesBody(request)) upstream.end()
  }

  #onSocket(upstream: ClientRequest, socket: Socket, { isTls }: Replica): void {
    if (upstream.reusedSocket) {
      // An idle connection may have ended a moment ago: by the next turn that is known, and nothing was sent.
      setImmediate(() => {
        if (!socket.destroyed && socket.writable) this.#onConnected(upstream)
      })
      return
    }
    this.#connectTimer = setTimeout(
      () => upstream.destroy(new Error('did not accept in time')),
      CONNECT_TIMEOUT_MS,
    )
    socket.once(connectedEvent(isTls), () => this.#onConnected(upstream))
  }

  /** The body is read only now: if the connection had been refused, the request could still go elsewhere. */
  #onConnected(upstream: ClientRequest): void {
    if (upstream !== this.#upstream) return
    this.#stopConnecting()
    this.#wasSent = true
    const { request } = this.#call
    if (!carriesBody(request)) return
    if (request.readableEnded) return void upstream.end()
    let bytes = 0
    const maxBytes = maxBodyBytesOf(this.#endpoint)
    request.on('data', (chunk: Buffer) => {
      // The answer came before the end of the request: the rest is dropped.
      if (upstream.destroyed) return
      bytes += chunk.length
      if (bytes > maxBytes) return this.#refuseBody()
      // A slow upload must not count as one that hangs.
      if (this.#endpoint.body !== 'fields') this.#moved += chunk.length
      if (upstream.write(chunk)) return
      request.pause()
      upstream.once('drain', () => request.resume())
    })
    request.once('end', () => upstream.end())
  }

  #onAnswer(upstream: ClientRequest, answer: IncomingMessage): void {
    if (upstream !== this.#upstream) return void answer.resume()
    this.#trace?.span.setAttribute('http.response.status_code', answer.statusCode ?? 0)
    this.#endTrace()
    // A replica that is stopping, or has lost its Redis, refuses polls that another one may accept.
    const shouldTryAnother = this.#endpoint.isLongPoll && answer.statusCode === 503
    if (shouldTryAnother && this.#attempts < this.#replicas.size) {
      this.#parts.metrics.upstreamFailed(this.#endpoint.owner, 'unavailable')
      answer.resume()
      if (this.#replica) this.#replicas.penalize(this.#replica)
      return this.#attempt()
    }
    // From now on the client is timed, until it has read its answer.
    this.#moved = 0
    this.#timer.refresh()
    this.#parts.pendingPolls.delete(this)
    const { response } = this.#call
    response.writeHead(
      answer.statusCode ?? 502,
      downstreamHeaders(answer.rawHeaders, commonHeaders(this.#call)),
    )
    answer.on('data', (chunk: Buffer) => {
      this.#moved += chunk.length
      if (response.write(chunk)) return
      answer.pause()
      response.once('drain', () => answer.resume())
    })
    answer.once('end', () => {
      // Its connection is free for the next request; otherwise the service would wait for the rest of this one.
      if (upstream.writableEnded) this.#upstream = null
      response.end()
    })
    // In the middle of an answer only breaking the connection signals the failure.
    answer.once('close', () => {
      if (!answer.complete) response.destroy()
    })
  }

  #onError(upstream: ClientRequest, err: NodeJS.ErrnoException): void {
    if (upstream !== this.#upstream) return
    this.#upstream = null
    this.#stopConnecting()
    if (this.#call.response.headersSent) return void this.#call.response.destroy()
    this.#reportFailure(
      err instanceof SilentReplicaError ? 'silent' : this.#wasSent ? 'lost' : 'refused',
      err,
    )
    const pauseMs = mayResend(this.#call.request.method, this.#wasSent)
      ? pauseBeforeAttempt(this.#attempts, this.#replicas.size)
      : null
    this.#wasSent = false
    if (pauseMs === null) return this.#refuse(`The ${this.#endpoint.owner} service does not answer`)
    if (pauseMs === 0) return this.#attempt()
    setTimeout(() => {
      if (!this.#call.response.destroyed && !this.#call.response.headersSent) this.#attempt()
    }, pauseMs)
  }

  #expire(): void {
    if (this.#moved > 0 && this.#moved >= (this.#parts.minBytesPerSecond * this.#timeoutMs) / 1000) {
      this.#moved = 0
      this.#timer.refresh()
      return
    }
    const { request, response } = this.#call
    const isClientSlow = !request.complete && this.#upstream?.writableNeedDrain === false
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
    const { requestId } = this.#call
    const upstream = this.#endpoint.owner
    this.#parts.metrics.upstreamFailed(upstream, reason)
    const found = { requestId, upstream, host: this.#replica?.host, reason }
    this.#parts.log.warn({ err, ...found, ...traceFields(this.#trace?.span) }, 'replica failed')
    if (this.#trace) markFailed(this.#trace.span, reason)
    this.#endTrace()
    if (this.#replica) this.#replicas.penalize(this.#replica)
  }

  #endTrace(): void {
    this.#trace?.span.end()
    this.#trace = null
  }

  /** Answers that the service is unavailable, with this reason. */
  #refuse(message: string): void {
    this.#reply(new AppError('SERVICE_UNAVAILABLE', { message: `${message}; try again shortly` }))
  }

  #reply(error: AppError): void {
    if (this.#call.response.headersSent) return
    setCommonHeaders(this.#call)
    replyError(this.#call.response, error)
  }

  #refuseBody(): void {
    this.#abandon()
    if (this.#call.response.headersSent) this.#call.response.destroy()
    else refuseBody(this.#call)
  }

  #finish(): void {
    this.#abandon()
    this.#endTrace()
    this.#parts.pendingPolls.delete(this)
    this.#parts.open.delete(this)
  }

  #stopConnecting(): void {
    clearTimeout(this.#connectTimer)
    this.#connectTimer = undefined
  }

  /** Ends the current attempt, at the service too. */
  #abandon(): void {
    clearTimeout(this.#timer)
    this.#stopConnecting()
    const upstream = this.#upstream
    this.#upstream = null
    upstream?.destroy()
  }
}
