import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { endSessions } from '../postgres/session.queries.ts'
import { connectOnce } from './connect-once.ts'
import type { OwnDatabase } from './own-database.ts'

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const
type EndSignal = keyof typeof EXIT_CODES

/** How often connections are ended: one that was being opened in one round is ended in the next. */
const ROUND_MS = 200
/** How long the server may take to answer: below Kubernetes' default grace of 30 s. */
const FORCED_EXIT_MS = 20_000

/** The program was interrupted; by then the server does nothing more for it. */
export class InterruptedError extends Error {
  readonly exitCode: number

  constructor(signal: EndSignal) {
    super(`Interrupted by ${signal}`)
    this.exitCode = EXIT_CODES[signal]
  }
}

/**
 * Runs `work` on a database so that a SIGINT or SIGTERM ends it at the server too. PostgreSQL would otherwise
 * continue a statement, and keep its locks, after its client is gone. `work` receives the database with a name that
 * identifies its connections. Rejects with `InterruptedError` after a signal.
 */
export async function runInterruptible<T>(
  database: OwnDatabase,
  name: string,
  work: (database: OwnDatabase, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const connectionsName = `${name} ${randomUUID()}`
  const interruption = new AbortController()
  let isOver = false
  const end = async (signal: EndSignal): Promise<void> => {
    const interrupted = new InterruptedError(signal)
    interruption.abort(interrupted)
    setTimeout(() => {
      // oxlint-disable-next-line no-console -- an ending program has no log
      console.error('Interrupted, but PostgreSQL does not answer: it may continue what it has begun.')
      process.exit(interrupted.exitCode)
    }, FORCED_EXIT_MS).unref()
    for (; !isOver; await sleep(ROUND_MS)) await endConnections(database, connectionsName).catch(() => {})
  }
  process.once('SIGINT', end).once('SIGTERM', end)
  try {
    return await work({ ...database, name: connectionsName }, interruption.signal)
  } catch (err) {
    interruption.signal.throwIfAborted()
    throw err
  } finally {
    isOver = true
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}

async function endConnections(database: OwnDatabase, name: string): Promise<void> {
  await connectOnce({ ...database, name: 'interruption' }, null, (client) => endSessions(client, name))
}
