import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '@tms/contracts'
import { networkOf } from '@tms/service-kit'
import type { ClientRefusal } from '../kernel/metrics.ts'
import { type ClientAddressing, trustsPeer } from '../requests/client-address.rules.ts'
import { Tally } from './tally.ts'

/** How long a refused connection may take to send a request, whose answer is the refusal. */
const REFUSED_MS = 2_000
/** Connections that wait for their refusal; beyond that the oldest are ended without one. */
const MAX_REFUSED = 1_000
/** How long a refused client should wait, in seconds. */
const RETRY_AFTER_SECONDS = 5

export interface ConnectionLimits {
  /** Connections per process; 0 means no limit. */
  readonly maxConnections: number
  /** Connections per address; for clients behind a trusted proxy, requests. 0 means no limit. */
  readonly maxPerAddress: number
  /** Requests that one connection may have waiting for their answers. */
  readonly maxPipelined: number
  readonly addressing: ClientAddressing
  /** Called for each client that is refused. */
  readonly onRefused: (reason: ClientRefusal) => void
}

interface Connection {
  readonly isByProxy: boolean
  readonly refusal: AppError | null
  /** Requests whose answers aren't sent yet. */
  pendingRequests: number
}

/**
 * Limits connections, and requests if a proxy forwards those of many clients over few connections. A connection
 * beyond the limit still gets an answer, which is an error, and is then closed.
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

  /** Number of open connections. */
  get open(): number {
    return this.#open
  }

  /** Watches the connections of a server. */
  watch(server: Server, { isTls }: { isTls: boolean }): void {
    server.on('connection', (socket: Socket) => this.#accept(socket, isTls))
    // Requests over TLS come from another socket than the accepted one.
    server.on('secureConnection', (socket: Socket) => this.#register(socket, null))
    server.on('clientError', (err: NodeJS.ErrnoException) => {
      if (err.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#limits.onRefused('slow_request')
      else if (err.code === 'HPE_HEADER_OVERFLOW') this.#limits.onRefused('headers')
      else if (err.code?.startsWith('HPE_')) this.#limits.onRefused('malformed')
    })
  }

  /** Counts a client's request; the returned function must be called at its end. Throws beyond the limit. */
  begin(socket: Socket, clientIp: string): () => void {
    const connection = this.#connections.get(socket)
    if (connection?.refusal) throw connection.refusal
    const { maxPipelined, maxPerAddress, onRefused } = this.#limits
    if (connection && connection.pendingRequests >= maxPipelined) {
      onRefused('pipelined')
      throw tooMany('Too many requests at once on one connection')
    }
    const network = connection?.isByProxy === false ? null : networkOf(clientIp)
    if (network !== null && maxPerAddress > 0 && this.#byAddress.of(network) >= maxPerAddress) {
      onRefused('address')
      throw tooMany(TOO_MANY_OF_ADDRESS)
    }
    if (connection) connection.pendingRequests++
    if (network !== null) this.#byAddress.add(network)
    return () => {
      if (connection) connection.pendingRequests--
      if (network !== null) this.#byAddress.remove(network)
    }
  }

  #accept(socket: Socket, isTls: boolean): void {
    const { maxConnections, maxPerAddress, addressing, onRefused } = this.#limits
    const network = networkOf(socket.remoteAddress ?? '')
    const isByProxy = trustsPeer(socket.remoteAddress, addressing)
    const isFull = maxConnections > 0 && this.#open - this.#refused.size >= maxConnections
    const isOverAddressLimit = !isByProxy && maxPerAddress > 0 && this.#byAddress.of(network) >= maxPerAddress
    const refusal = isFull ? busy() : isOverAddressLimit ? tooMany(TOO_MANY_OF_ADDRESS) : null
    this.#open++
    if (!isByProxy) this.#byAddress.add(network)
    socket.on('close', () => {
      this.#open--
      if (!isByProxy) this.#byAddress.remove(network)
    })
    if (refusal) {
      onRefused(isFull ? 'connections' : 'address')
      // Before the handshake no answer can be sent.
      if (isTls) return void socket.destroy()
      this.#keepUntilRefused(socket)
    }
    if (!isTls) this.#register(socket, refusal)
  }

  #register(socket: Socket, refusal: AppError | null): void {
    const isByProxy = trustsPeer(socket.remoteAddress, this.#limits.addressing)
    this.#connections.set(socket, { isByProxy, refusal, pendingRequests: 0 })
  }

  /** Keeps a refused connection until it has received its refusal. */
  #keepUntilRefused(socket: Socket): void {
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
    message: 'The server has reached its maximum number of connections; try again shortly',
    details,
  })
