import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type AnyEndpoint, gatewayHeaders, maxBodyBytesOf } from '@tms/contracts'
import {
  type Agents,
  connectedEvent,
  headersOf,
  markFailed,
  type OpenSpan,
  requestBy,
} from '@tms/service-kit'
import type { UpstreamFailure } from '../kernel/metrics.ts'
import type { Call } from '../requests/call.ts'
import type { ClientAddressing } from '../requests/client-address.rules.ts'
import { carriesBody, upstreamHeaders } from './forwarded-headers.rules.ts'
import type { LinkedAnswer, LinkedAttempt } from './linked-attempt.ts'
import type { Replica } from './replica-set.ts'
import { startAttemptSpan } from './trace-attempt.ts'

/**
 * A replica that doesn't accept a connection by then is skipped: too small skips a busy one, too large delays
 * clients.
 */
export const CONNECT_TIMEOUT_MS = 2_000

/** The replica sends nothing, not even that it works on the request: its host is lost, or it hangs. */
class SilentReplicaError extends Error {}

/** One attempt of a request at one replica. Once it is over it reports nothing more to its owner. */
export interface UpstreamAttempt {
  readonly replica: Replica
  /** It was abandoned, has failed, or its answer is complete. */
  readonly isOver: boolean
  /** Whether the replica may have got the request. */
  readonly wasSent: boolean
  /** Whether it could send more of the body, if the client did. */
  readonly canSendMore: boolean
  readonly span: OpenSpan['span'] | undefined
  /** Fails if the replica has sent nothing for so many checks. */
  failIfSilent(maxChecks: number): void
  failureOf(err: Error): UpstreamFailure
  /** Ends the attempt, at the service too. */
  abandon(): void
  endTrace(failure?: UpstreamFailure): void
}

/** The request that attempts are made for. It learns what becomes of the current one. */
export interface AttemptOwner {
  readonly call: Call
  /** All of the request's body, if it was read before; otherwise null. */
  readonly body: Buffer | null
  /** Whether the answer may be in gzip. */
  readonly takesGzip: boolean
  onAnswer(attempt: Attempt, answer: IncomingMessage): void
  onLinkedAnswer(attempt: LinkedAttempt, answer: LinkedAnswer): void
  onLinkedPart(attempt: LinkedAttempt, text: string, isLast: boolean): void
  /** The connection failed, before the answer or in the middle of it. */
  onFailure(attempt: UpstreamAttempt, err: Error): void
  /** The client has sent so many more bytes of its body. */
  onBodyRead(bytes: number): void
  onBodyTooLarge(): void
}

/**
 * One attempt by HTTP: connects, sends the body, and reports an answer or a failure. Every pending poll that is a request
 * keeps one of these, so each field here costs memory for every idle client.
 */
export class Attempt implements UpstreamAttempt {
  readonly replica: Replica
  readonly #owner: AttemptOwner
  readonly #endpoint: AnyEndpoint
  readonly #upstream: ClientRequest
  #trace: OpenSpan | null
  #isOver = false
  #wasSent = false
  /** Bytes received over the replica's connection at the last check, and the number of checks without more since. */
  #bytesRead = -1
  #silentChecks = 0
  /** Runs until the replica has accepted. */
  #connectTimer: NodeJS.Timeout | undefined

  constructor(
    owner: AttemptOwner,
    endpoint: AnyEndpoint,
    replica: Replica,
    { agents, addressing }: { readonly agents: Agents; readonly addressing: ClientAddressing },
  ) {
    const { call } = owner
    this.#owner = owner
    this.#endpoint = endpoint
    this.replica = replica
    this.#trace = startAttemptSpan(call, endpoint, replica)
    const headers = upstreamHeaders(call, replica.host, addressing, this.#trace && headersOf(this.#trace))
    if (owner.takesGzip) headers.push(gatewayHeaders.takesGzip, 'true')
    const upstream = requestBy(replica.isTls)({
      agent: agents.of(replica.isTls),
      timeout: 0,
      host: replica.hostname,
      port: replica.port,
      method: call.request.method,
      path: call.request.url,
      headers,
    })
    this.#upstream = upstream
    // Each event comes once, but `once` would keep more memory.
    upstream.on('socket', (socket: Socket) => this.#onSocket(socket))
    upstream.on('response', (answer) => this.#onAnswer(answer))
    upstream.on('error', (err) => this.#onError(err))
    if (!carriesBody(call.request)) upstream.end()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get wasSent(): boolean {
    return this.#wasSent
  }

  get hasSentAll(): boolean {
    return this.#upstream.writableEnded
  }

  get canSendMore(): boolean {
    return !this.#isOver && !this.#upstream.writableNeedDrain
  }

  get span(): OpenSpan['span'] | undefined {
    return this.#trace?.span
  }

  /**
   * Fails if the replica has sent nothing for so many checks. A client that reads its answer slowly also stops the
   * replica, which doesn't count.
   */
  failIfSilent(maxChecks: number): void {
    if (this.#isOver || !this.#wasSent) return
    const bytesRead = this.#upstream.socket?.bytesRead ?? -1
    const isSilent = bytesRead === this.#bytesRead && !this.#owner.call.response.writableNeedDrain
    this.#bytesRead = bytesRead
    this.#silentChecks = isSilent ? this.#silentChecks + 1 : 0
    if (this.#silentChecks >= maxChecks)
      this.#upstream.destroy(new SilentReplicaError('the replica is silent'))
  }

  failureOf(err: Error): UpstreamFailure {
    if (err instanceof SilentReplicaError) return 'silent'
    return this.#wasSent ? 'lost' : 'refused'
  }

  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopConnecting()
    this.#upstream.destroy()
  }

  /** Ends the attempt and leaves its connection to the next request. */
  letGo(): void {
    this.#isOver = true
  }

  endTrace(failure?: UpstreamFailure): void {
    if (this.#trace && failure) markFailed(this.#trace.span, failure)
    this.#trace?.span.end()
    this.#trace = null
  }

  #onSocket(socket: Socket): void {
    const upstream = this.#upstream
    if (upstream.reusedSocket) {
      // An idle connection may have ended a moment ago: by the next turn that is known, and nothing was sent.
      setImmediate(() => {
        if (!socket.destroyed && socket.writable) this.#onConnected()
      })
      return
    }
    this.#connectTimer = setTimeout(
      () => upstream.destroy(new Error('did not accept in time')),
      CONNECT_TIMEOUT_MS,
    )
    socket.once(connectedEvent(this.replica.isTls), () => this.#onConnected())
  }

  /** The body is read only now: if the connection had been refused, the request could still go elsewhere. */
  #onConnected(): void {
    if (this.#isOver) return
    this.#stopConnecting()
    this.#wasSent = true
    const { body, call } = this.#owner
    const { request } = call
    if (!carriesBody(request)) return
    const upstream = this.#upstream
    if (body !== null) return void upstream.end(body)
    if (request.readableEnded) return void upstream.end()
    let bytes = 0
    const maxBytes = maxBodyBytesOf(this.#endpoint)
    request.on('data', (chunk: Buffer) => {
      // The answer came before the end of the request: the rest is dropped.
      if (upstream.destroyed) return
      bytes += chunk.length
      if (bytes > maxBytes) return this.#owner.onBodyTooLarge()
      this.#owner.onBodyRead(chunk.length)
      if (upstream.write(chunk)) return
      request.pause()
      upstream.once('drain', () => request.resume())
    })
    request.once('end', () => upstream.end())
  }

  #onAnswer(answer: IncomingMessage): void {
    if (this.#isOver) return void answer.resume()
    this.#trace?.span.setAttribute('http.response.status_code', answer.statusCode ?? 0)
    this.endTrace()
    this.#owner.onAnswer(this, answer)
  }

  #onError(err: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopConnecting()
    this.#owner.onFailure(this, err)
  }

  #stopConnecting(): void {
    clearTimeout(this.#connectTimer)
    this.#connectTimer = undefined
  }
}
