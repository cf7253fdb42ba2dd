import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError, type ServiceName } from '@tms/contracts'
import { PROBE_AFTER_MS } from '../tls/requests.ts'
import { createInternalTokenVerifier } from '../tokens/tokens.ts'

/** Takes over the connection of a request with the header `Upgrade`. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

interface AcceptOptions {
  readonly path: string
  readonly protocol: string
  /** The only service that may connect. */
  readonly from: ServiceName
  readonly internalPublicKey: string
  /** Whether this process takes new connections; it refuses them with 503 otherwise, and callers go elsewhere. */
  readonly isAccepting: () => boolean
  readonly onAccepted: (socket: Duplex, head: Buffer) => void
}

/** Accepts connections for frames, from one service. */
export function acceptFrames(options: AcceptOptions): UpgradeHandler {
  const verify = createInternalTokenVerifier(options.internalPublicKey)
  const statusFor = ({ url, headers }: IncomingMessage): number => {
    if (url !== options.path || headers.upgrade !== options.protocol) return 404
    try {
      if (verify((headers.authorization ?? '').replace(/^Bearer /, '')) !== options.from) return 403
    } catch (err) {
      if (err instanceof AppError) return err.status
      throw err
    }
    return options.isAccepting() ? 101 : 503
  }
  return (request, socket, head) => {
    socket.on('error', () => {})
    const status = statusFor(request)
    if (status !== 101)
      return void socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    if (socket instanceof Socket) socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS)
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${options.protocol}\r\n\r\n`,
    )
    options.onAccepted(socket, head)
  }
}
