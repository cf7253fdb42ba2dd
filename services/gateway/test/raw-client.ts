import { connect, type Socket } from 'node:net'

/** A connection on which a test may send anything, unlike a client. */
export interface RawClient {
  readonly socket: Socket
  /** Everything that was received so far. */
  readonly received: string
  /** Resolves with everything received when the connection has ended. */
  readonly ended: Promise<string>
}

/** Connects and sends the text. */
export function openRaw(url: string, text = ''): RawClient {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // Written before connecting, so that later texts follow it.
  socket.write(text, 'latin1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  // An error is expected if the other side ended the connection during a write.
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  return {
    socket,
    ended,
    get received() {
      return received
    },
  }
}

/** Sends the text repeatedly until the connection has ended or the returned function is called. */
export function drip({ socket }: RawClient, text: string, everyMs: number): () => void {
  const timer = setInterval(() => socket.writable && socket.write(text, 'latin1'), everyMs)
  const stop = () => clearInterval(timer)
  socket.once('close', stop)
  return stop
}

/** The status and body of each received answer. */
export function answersIn(received: string): { status: number; body: unknown }[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((text) => text !== '')
    .map((text) => {
      const body = text.slice(text.indexOf('\r\n\r\n') + 4)
      return { status: Number(text.slice(9, 12)), body: body === '' ? null : JSON.parse(body) }
    })
}
