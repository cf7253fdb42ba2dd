import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '@tms/contracts'
import { networkOf } from '@tms/service-kit'
import { type ClientAddressing, trustsPeer } from '../requests/client-address.rules.ts'
import { Tally } from './tally.ts'

/** Why a client got no service. */
export type ClientRefusal = 'connections' | 'address' | 'pipelined' | 'headers' | 'slow_request' | 'malformed'

/** How long a connection that is one too many may take to ask something, which is how it learns of it. */
const REFUSED_MS = 2_000
/** Connections that wait for their refusal; of more, the oldest are ended without one. */
const MAX_REFUSED = 1_000
/** What a client that was refused a connection is told to wait, in seconds. */
const RETRY_AFTER_SECONDS = 5

export interface ConnectionLimits {
  /** Of this process; 0 is no limit. */
  readonly maxConnections: number
  /** Connections of one address; of a client behind a trusted proxy, requests. 0 is no limit. */
  readonly maxPerAddress: number
  /** Requests that one connection may have waiting for their answers. */
  readonly maxPipelined: number
  readonly addressing: ClientAddressing
  /** Hears of each client that is refused. */
  readonly onRefused: (reason: ClientRefusal) => void
}

interface Connection {
  readonly isByProxy: boolean
  readonly refusal: AppError | null
  /** Requests whose answers haven't gone. */
  underWay: number
}

/**
 * Counts connections, and requests where a proxy brings those of many clients over few connections. One too many still
 * gets an answer, in place of what it asks for, and is then closed.
 */
export class ConnectionGuard {
  readonly #limits: ConnectionLimits
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #refused = new Set<Socket>()
  readonly #byAddress = new Tally()
  #open = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Connections that are open. */
  get open(): number {
    return this.#open
  }

  /** Watches the connections of a server. */
  watch(server: Server, { isTls }: { isTls: boolean }): void {
    server.on('connection', (socket: Socket) => this.#accept(socket, isTls))
    // What is asked over TLS comes from another socket than the one that was accepted.
    server.on('secureConnection', (socket: Socket) => this.#know(socket, null))
    server.on('clientError', (err: NodeJS.ErrnoException) => {
      if (err.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#limits.onRefused('slow_request')
      else if (err.code === 'HPE_HEADER_OVERFLOW') this.#limits.onRefused('headers')
      else if (err.code?.startsWith('HPE_')) this.#limits.onRefused('malformed')
    })
  }

  /** Counts a request of a client; what is returned has to be called at its end. Throws when it is one too many. */
  begin(socket: Socket, clientIp: string): () => void {
    const connection = this.#connections.get(socket)
    if (connection?.refusal) throw connection.refusal
    const { maxPipelined, maxPerAddress, onRefused } = this.#limits
    if (connection && connection.underWay >= maxPipelined) {
      onRefused('pipelined')
      throw tooMany('Too many requests at once on one connection')
    }
    const network = connection?.isByProxy === false ? null : networkOf(clientIp)
    if (network !== null && maxPerAddress > 0 && this.#byAddress.of(network) >= maxPerAddress) {
      onRefused('address')
      throw tooMany(TOO_MANY_OF_ADDRESS)
    }
    if (connection) connection.underWay++
    if (network !== null) this.#byAddress.add(network)
    return () => {
      if (connection) connection.underWay--
      if (network !== null) this.#byAddress.remove(network)
    }
  }

  #accept(socket: Socket, isTls: boolean): void {
    const { maxConnections, maxPerAddress, addressing, onRefused } = this.#limits
    const network = networkOf(socket.remoteAddress ?? '')
    const isByProxy = trustsPeer(socket.remoteAddress, addressing)
    const isFull = maxConnections > 0 && this.#open - this.#refused.size >= maxConnections
    const isOfMany = !isByProxy && maxPerAddress > 0 && this.#byAddress.of(network) >= maxPerAddress
    const refusal = isFull ? busy() : isOfMany ? tooMany(TOO_MANY_OF_ADDRESS) : null
    this.#open++
    if (!isByProxy) this.#byAddress.add(network)
    socket.on('close', () => {
      this.#open--
      if (!isByProxy) this.#byAddress.remove(network)
    })
    if (refusal) {
      onRefused(isFull ? 'connections' : 'address')
      // Before the handshake nothing can be said.
      if (isTls) return void socket.destroy()
      this.#letAsk(socket)
    }
    if (!isTls) this.#know(socket, refusal)
  }

  #know(socket: Socket, refusal: AppError | null): void {
    const isByProxy = trustsPeer(socket.remoteAddress, this.#limits.addressing)
    this.#connections.set(socket, { isByProxy, refusal, underWay: 0 })
  }

  /** A connection that gets no service stays until it has been told so. */
  #letAsk(socket: Socket): void {
    this.#refused.add(socket)
    const timer = setTimeout(() => socket.destroy(), REFUSED_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      this.#refused.delete(socket)
    })
    const [oldest] = this.#refused
    if (this.#refused.size > MAX_REFUSED) oldest?.destroy()
  }
}

const TOO_MANY_OF_ADDRESS = 'Too many connections from your address'
const details = { 'retry-after': RETRY_AFTER_SECONDS }
const tooMany = (message: string) => new AppError('RATE_LIMIT_HIT', { message, details })
const busy = () =>
  new AppError('SERVICE_UNAVAILABLE', {
    message: 'The server has as many connections as it takes; try again shortly',
    details,
  })
