import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connectedEvent, PROBE_AFTER_MS, requestBy } from '../tls/requests.ts'
import type { ClientTls } from '../tls/settings.ts'

interface FrameServer {
  readonly hostname: string
  readonly port: number
  /** For the Host header. */
  readonly host: string
  readonly isTls: boolean
}

interface OpeningTerms {
  readonly token: string
  readonly tls: ClientTls
  /** Until the server has accepted the connection, and then until it has answered. */
  readonly connectTimeoutMs: number
  readonly answerTimeoutMs: number
}

/** The server answered, but not with a connection for frames. */
export class UpgradeRefusedError extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the connection was refused with status ${status}`)
    this.status = status
  }
}

/**
 * Opens a connection for frames by an HTTP upgrade, so that it needs no port, certificate or network policy of its own. Rejects
 * with `UpgradeRefusedError` if the server doesn't offer it, with another error if there is no connection in time. Returns what
 * `FrameConnection` needs.
 */
export function openFrames(
  { hostname, port, host, isTls }: FrameServer,
  { path, protocol }: { readonly path: string; readonly protocol: string },
  { token, tls, connectTimeoutMs, answerTimeoutMs }: OpeningTerms,
): Promise<{ readonly socket: Duplex; readonly head: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = requestBy(isTls)({
      agent: false,
      host: hostname,
      port,
      path,
      headers: { host, connection: 'upgrade', upgrade: protocol, authorization: `Bearer ${token}` },
      ...(isTls ? tls : {}),
    })
    const give = (ms: number) => setTimeout(() => request.destroy(new Error('did not accept in time')), ms)
    let timer = give(connectTimeoutMs)
    request.on('socket', (socket: Socket) => {
      socket.once(connectedEvent(isTls), () => {
        clearTimeout(timer)
        timer = give(answerTimeoutMs)
      })
    })
    request.on('upgrade', (_answer, socket, head) => {
      clearTimeout(timer)
      socket.setKeepAlive(true, PROBE_AFTER_MS)
      resolve({ socket, head })
    })
    request.on('response', (answer) => {
      clearTimeout(timer)
      answer.on('error', () => {}).destroy()
      reject(new UpgradeRefusedError(answer.statusCode ?? 0))
    })
    request.on('error', (err) => {
      clearTimeout(timer)
      reject(err)
    })
    request.end()
  })
}
