import { fileURLToPath } from 'node:url'
import { createLog, type Logger } from '../log.ts'
import { messageWithoutPassword } from './database-url.ts'
import { Interrupted, interruptible } from './interruptible.ts'
import { type MigrationProgress, migrate } from './migrate.ts'
import { findOwnDatabase, type OwnDatabase } from './own-database.ts'

/**
 * The program `migrate` of a service; gives the exit code. What fails is said on standard error. It may be interrupted: what
 * is not done by then is given up, at the server too.
 */
export async function runMigrate(
  service: string,
  options: {
    readonly env: NodeJS.ProcessEnv
    /** The folder of the service's own migrations. */
    readonly migrations: URL
    /** What comes after them. */
    readonly further?: (database: OwnDatabase, log: Logger) => Promise<void>
  },
): Promise<number> {
  const progress: MigrationProgress = { done: [], running: null }
  let url = options.env['DATABASE_URL'] ?? ''
  try {
    const own = await findOwnDatabase(options.env)
    url = own.url
    const log = createLog(service, own.logLevel)
    await interruptible(own, `migrate ${service}`, async (database, signal) => {
      await migrate(database, fileURLToPath(options.migrations), { log, progress, signal })
      signal.throwIfAborted()
      await options.further?.(database, log)
    })
    return 0
  } catch (err) {
    if (err instanceof Interrupted) {
      console.error(`${err.message}. ${describe(progress)} Migrate again to go on.`)
      return err.exitCode
    }
    console.error(messageWithoutPassword(err, url))
    return 1
  }
}

const describe = ({ done, running }: MigrationProgress): string =>
  `Done: ${done.join(', ') || 'nothing'}. Not done: ${running === null ? '' : `${running} and `}what comes after.`
