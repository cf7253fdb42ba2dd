import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError, type ServiceName } from '@tms/contracts'
import type { UpgradeHandler } from '../http/upgrade-handler.ts'
import type { Logger } from '../telemetry/log.ts'
import { PROBE_AFTER_MS } from '../tls/requests.ts'
import { createInternalTokenVerifier } from '../tokens/tokens.ts'

interface AcceptOptions {
  readonly path: string
  readonly protocol: string
  /** The only service that may connect. */
  readonly from: ServiceName
  readonly internalPublicKey: string
  /** Whether this process takes new connections; it refuses them with 503 otherwise, and callers go elsewhere. */
  readonly isAccepting: () => boolean
  readonly onAccepted: (socket: Duplex, head: Buffer) => void
  readonly log: Pick<Logger, 'info'>
}

/** Accepts connections for frames, from one service. */
export function acceptFrames(options: AcceptOptions): UpgradeHandler {
  const { path, protocol, from, isAccepting, onAccepted, log } = options
  const verify = createInternalTokenVerifier(options.internalPublicKey)
  const statusFor = ({ headers }: IncomingMessage): number => {
    // As a release without it answers.
    if (headers.upgrade !== protocol) return 404
    try {
      if (verify((headers.authorization ?? '').replace(/^Bearer /, '')) !== from) return 403
    } catch (err) {
      if (err instanceof AppError) return err.status
      throw err
    }
    return isAccepting() ? 101 : 503
  }
  return {
    isFor: ({ url }) => url === path,
    accept: (request, socket, head) => {
      socket.on('error', () => {})
      const status = statusFor(request)
      if (status !== 101) {
        log.info({ status, address: request.socket.remoteAddress, path }, 'connection refused')
        // Nothing else ends it: the server's timeouts and `close` know only requests.
        return void socket.end(refusalOf(status), () => socket.destroy())
      }
      if (socket instanceof Socket) socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${protocol}\r\n\r\n`)
      onAccepted(socket, head)
    },
  }
}

const refusalOf = (status: number): string =>
  `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`
