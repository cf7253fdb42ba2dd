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

/** Before the client's own limit, so that it gets an answer rather than none. */
const POLL_TIMEOUT_MS = (queueTiming.longpollTimeoutSeconds - 5) * 1000
/** A replica that doesn't even accept is passed over: too small skips a busy one, too large keeps clients waiting. */
const CONNECT_TIMEOUT_MS = 2_000

/** The replica says nothing, not even that it works at the request: its host is lost, or it hangs. */
class SilentReplicaError extends Error {}

/**
 * One request on its way to its owner and back. Bodies are handed on as they come, both ways. A poll is
 * held as one of these and the two connections, so whatever is added here is paid for by every idle client.
 */
export class ProxiedRequest {
  readonly #parts: ForwarderParts
  readonly #call: Call
  readonly #endpoint: AnyEndpoint
  readonly #replicas: ReplicaSet
  /** The attempt that counts; what an earlier one still says is ignored. */
  #upstream: ClientRequest | null = null
  #replica: Replica | null = null
  /** Of the attempt that counts. */
  #trace: OpenSpan | null = null
  #attempts = 0
  #wasSent = false
  /** What had come over the connection to the replica when it was looked at last, and how often no more had come since. */
  #heard = -1
  #silentLooks = 0
  /** Bytes that came from the client, or went to it, since the timer began. */
  #moved = 0
  readonly #patienceMs: number
  /** Whether it may be held: a poll that doesn't say otherwise. */
  readonly #mayWait: boolean
  #timer: NodeJS.Timeout
  /** Until a replica has accepted. */
  #connectTimer: NodeJS.Timeout | undefined

  /** Throws when the endpoint's owner has no address, which the configuration rules out. */
  constructor(parts: ForwarderParts, call: Call) {
    const endpoint = call.endpoint
    const replicas = endpoint && parts.replicas.get(endpoint.owner)
    if (!endpoint || !replicas) throw new Error('the endpoint has no replicas')
    this.#parts = parts
    this.#call = call
    this.#endpoint = endpoint
    this.#replicas = replicas
    this.#mayWait = endpoint.held && !wantsAnswerAtOnce(call.request.url ?? '')
    this.#patienceMs = this.#mayWait ? POLL_TIMEOUT_MS : parts.answerTimeoutMs
    this.#timer = setTimeout(() => this.#expire(), this.#patienceMs)
  }

  start(): void {
    const { response } = this.#call
    response.on('close', () => this.#finish())
    this.#parts.open.add(this)
    if (this.#endpoint.held) this.#parts.pendingPolls.add(this)
    if (this.#endpoint.held && this.#parts.isDraining) this.endPendingPoll()
    else this.#attempt()
  }

  get call(): Call {
    return this.#call
  }

  /** Answers a poll whose caller isn't let in any more. */
  refusePendingPoll(error: AppError): void {
    if (this.#call.response.headersSent) return
    this.#abandon()
    this.#reply(error)
  }

  /** Asks another replica, where this poll waits for one that has ceased to answer. */
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

  /** Ends the attempt at a replica that has said nothing for so many looks. A client that takes its answer slowly keeps it silent. */
  endIfSilent(looks: number): void {
    const upstream = this.#upstream
    if (upstream === null || !this.#wasSent) return
    const heard = upstream.socket?.bytesRead ?? -1
    const isSilent = heard === this.#heard && !this.#call.response.writableNeedDrain
    this.#heard = heard
    this.#silentLooks = isSilent ? this.#silentLooks + 1 : 0
    if (this.#silentLooks >= looks) upstream.destroy(new SilentReplicaError('the replica is silent'))
  }

  /** Answers a poll with no events; the client then polls again, wherever it is taken. */
  endPendingPoll(otherwise = 'The server is restarting'): void {
    const { request, response } = this.#call
    if (response.headersSent) return
    this.#abandon()
    const answer = emptyPollAnswer(request.url ?? '')
    if (answer === null) return this.#refuse(otherwise)
    setCommonHeaders(this.#call)
    replySuccess(response, answer, [])
  }

  #attempt(): void {
    const { request } = this.#call
    const replica = this.#replicas.pick()
    this.#replica = replica
    this.#attempts++
    this.#heard = -1
    this.#silentLooks = 0
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
    // Each comes once: `once` would keep more for it.
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

  /** Only now is the body read: had the connection been refused, it could still go elsewhere. */
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
      // It was answered before all of it came: the rest is dropped.
      if (upstream.destroyed) return
      bytes += chunk.length
      if (bytes > maxBytes) return this.#refuseBody()
      // A slow upload is none that hangs.
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
    // A replica that is stopping, or has lost its Redis, refuses polls that another one may hold.
    const isElsewhere = this.#endpoint.held && answer.statusCode === 503
    if (isElsewhere && this.#attempts < this.#replicas.size) {
      this.#parts.metrics.upstreamFailed(this.#endpoint.owner, 'unavailable')
      answer.resume()
      if (this.#replica) this.#replicas.penalize(this.#replica)
      return this.#attempt()
    }
    // From now on it's the client's turn, until it has taken its answer.
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
      // Its connection is free for the next request; else the service would wait for the rest of this one.
      if (upstream.writableEnded) this.#upstream = null
      response.end()
    })
    // Cut off in the middle: only breaking off tells the client so.
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
    if (this.#moved > 0 && this.#moved >= (this.#parts.minBytesPerSecond * this.#patienceMs) / 1000) {
      this.#moved = 0
      this.#timer.refresh()
      return
    }
    const { request, response } = this.#call
    const isClientsFault = !request.complete && this.#upstream?.writableNeedDrain === false
    // All of the answer is on its way to the client, or as much as it takes.
    const isStalled = response.writableNeedDrain || response.writableEnded
    this.#abandon()
    if (response.headersSent) {
      if (isStalled) this.#parts.metrics.clientRefused('slow_reader')
      else this.#reportFailure('timeout')
      return void response.destroy()
    }
    if (isClientsFault) {
      this.#parts.metrics.clientRefused('slow_request')
      return this.#reply(badRequest('The request did not come in time'))
    }
    this.#reportFailure('timeout')
    const message = `The ${this.#endpoint.owner} service did not answer in time`
    // Its client polls again, and meets another replica: nothing that it has to know of.
    if (this.#mayWait) this.endPendingPoll(message)
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

  /** What is wrong, without what to do then. */
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

  /** Ends the attempt that is under way, at the service too. */
  #abandon(): void {
    clearTimeout(this.#timer)
    this.#stopConnecting()
    const upstream = this.#upstream
    this.#upstream = null
    upstream?.destroy()
  }
}
