import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, badRequest } from '@tms/contracts'

/**
 * How long the rest of a refused request is read and dropped. A client that is still sending would otherwise see a
 * broken connection instead of the answer.
 */
const LINGER_MS = 2_000

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  431: 'Request Header Fields Too Large',
}

/** Answers in JSON requests that Node's parser rejects before a handler could. */
export function refuseMalformedRequests(server: Server): void {
  server.on('tlsClientError', (_err, socket: Socket) => socket.destroy())
  server.on('clientError', (err: NodeJS.ErrnoException, socket: Socket) => {
    // More bytes of a request that is already refused: each packet raises the event again.
    if (socket.writableEnded) return
    if (err.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const error = errorOf(err.code)
    const body = JSON.stringify({ result: 'error', msg: error.message, code: error.publicCode })
    const head = [
      `HTTP/1.1 ${error.status} ${REASONS[error.status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  })
}

function errorOf(code: string | undefined): AppError {
  // The parser counts both as one; a URL that is too long by itself is detected where there is a request to answer.
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('HEADERS_TOO_LARGE')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest('The request did not come in time')
  return badRequest('Malformed HTTP request')
}
