import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range from which the usual systems take ports for outgoing connections (Linux: from 32768), so that
 * a server which is killed and started again finds its port still free.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

const handedOut = new Set<number>()

/** A port on 127.0.0.1 that nobody listens on and that this process has not handed out before. */
export async function pickFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (handedOut.has(port) || !(await isPortFree(port))) continue
    handedOut.add(port)
    return port
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT}`)
}

/** `wanted` if nobody listens there, else another free port. */
export async function keepPort(wanted: number | undefined): Promise<number> {
  if (wanted === undefined || handedOut.has(wanted) || !(await isPortFree(wanted))) return pickFreePort()
  handedOut.add(wanted)
  return wanted
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
