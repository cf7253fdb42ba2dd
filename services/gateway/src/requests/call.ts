import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AnyEndpoint } from '@tms/contracts'
import { type OpenSpan, sentStatus, takeConnection } from '@tms/service-kit'
import type { IdentityRequest } from './identity-request.ts'

interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly clientIp: string
  readonly trace: OpenSpan | null
}

/** A client's request while it is served. Kept for as long as a poll is pending or a stream open, so it stays small. */
export class Call {
  readonly requestId: string
  readonly clientIp: string
  /** `performance.now()` of its arrival. */
  readonly startedAt = performance.now()
  /** Null while requests aren't traced. */
  readonly trace: OpenSpan | null
  /** Releases its slot among concurrent requests; null if it got none. */
  release: (() => void) | null = null
  /** Whether it is an API call, which is logged and measured here; the rest are pages. */
  isOfApi = true
  endpoint: AnyEndpoint | null = null
  userId: number | null = null
  /** What its caller was identified by; null for callers who needn't be users. */
  identifiedBy: IdentityRequest | null = null
  /** Identifies the caller to services. */
  token = ''
  /** Names and values in turn; empty if no limit applies. */
  limitHeaders: readonly string[] = NO_HEADERS
  /** Calls a minute that its caller may make, if this one is over that and is forwarded all the same; else null. */
  overLimit: number | null = null
  /** Null once its connection was taken. */
  #http: Pick<Arrived, 'request' | 'response'> | null
  #listeners: (() => void)[] = []
  readonly #close = (): void => {
    for (const listener of this.#listeners) listener()
  }

  constructor({ request, response, requestId, clientIp, trace }: Arrived) {
    this.#http = { request, response }
    this.requestId = requestId
    this.clientIp = clientIp
    this.trace = trace
    response.on('close', this.#close)
  }

  /** Throws if its connection was taken, as `response` does. */
  get request(): IncomingMessage {
    return this.#throughHttp.request
  }

  get response(): ServerResponse {
    return this.#throughHttp.response
  }

  /** Whether the answer is written to the connection itself. */
  get isTaken(): boolean {
    return this.#http === null
  }

  /** The status of its answer, as far as the client has got one. */
  get status(): number {
    return this.#http === null ? 200 : sentStatus(this.#http.response)
  }

  /** Calls the listener when the answer has ended, or its client has left. */
  onClosed(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /**
   * Takes the connection for an answer with status 200 that lasts for long, and releases request and response. Null if that isn't
   * possible: another request of this connection waits, for one. A client that sends too much afterwards is cut off; `onPipelined` is
   * called then.
   */
  takeConnection(onPipelined: () => void): Socket | null {
    const { response } = this.#throughHttp
    response.off('close', this.#close)
    const socket = takeConnection(response, onPipelined)
    if (socket === null) {
      response.on('close', this.#close)
      return null
    }
    socket.on('close', this.#close)
    this.#http = null
    this.token = ''
    this.limitHeaders = NO_HEADERS
    return socket
  }

  get #throughHttp(): Pick<Arrived, 'request' | 'response'> {
    if (this.#http === null) throw new Error('the connection of the call was taken')
    return this.#http
  }
}

const NO_HEADERS: readonly string[] = []
