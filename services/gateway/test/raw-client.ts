import { connect, type Socket } from 'node:net'

/** A connection on which anything may be sent, in place of what a client would. */
export interface RawClient {
  readonly socket: Socket
  /** All that came back so far. */
  readonly heard: string
  /** Resolves with all that came back when the connection has ended. */
  readonly ended: Promise<string>
}

/** Connects, and sends the text. */
export function openRaw(url: string, text = ''): RawClient {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // Before it is connected: what the test sends afterwards comes behind it, however long connecting takes.
  socket.write(text, 'latin1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  // That the other side ended it while something was on its way is no news here.
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  return {
    socket,
    ended,
    get heard() {
      return heard
    },
  }
}

/** Sends the text again and again until the connection has ended, or the function that comes back is called. */
export function drip({ socket }: RawClient, text: string, everyMs: number): () => void {
  const timer = setInterval(() => socket.writable && socket.write(text, 'latin1'), everyMs)
  const stop = () => clearInterval(timer)
  socket.once('close', stop)
  return stop
}

/** The status and the body of each answer in what came back. */
export function answersIn(heard: string): { status: number; body: unknown }[] {
  return heard
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((text) => text !== '')
    .map((text) => {
      const body = text.slice(text.indexOf('\r\n\r\n') + 4)
      return { status: Number(text.slice(9, 12)), body: body === '' ? null : JSON.parse(body) }
    })
}
