import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LockHeldError, takeLock } from './lock.ts'

/**
 * Below the range that the usual systems use for outgoing connections (Linux: from 32768), so that a server that is
 * killed and started again finds its port still free.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/** A lock for every assigned port: other processes of this user pick ports at the same time. */
const LOCKS = join(tmpdir(), `tms-ports-${process.getuid?.() ?? 'all'}`)

const handedOut = new Set<number>()

/** A free port on 127.0.0.1 that no running process of this user has been assigned before. */
export async function pickFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (await tryPort(port)) return port
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT}`)
}

/** `wanted` if it is free, otherwise another free port. */
export async function reusePort(wanted: number | undefined): Promise<number> {
  return wanted !== undefined && (await tryPort(wanted)) ? wanted : pickFreePort()
}

async function tryPort(port: number): Promise<boolean> {
  if (handedOut.has(port) || !(await isPortFree(port)) || !reserve(port)) return false
  handedOut.add(port)
  return true
}

function reserve(port: number): boolean {
  try {
    takeLock(join(LOCKS, String(port)))
    return true
  } catch (err) {
    if (err instanceof LockHeldError) return false
    throw err
  }
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
