import { fileURLToPath } from 'node:url'
import { messageWithoutPassword } from '../addresses/database-url.ts'
import { createLog, type Logger } from '../telemetry/log.ts'
import { type MigrationProgress, migrate } from './migrate.ts'
import { findOwnDatabase, type OwnDatabase } from './own-database.ts'
import { InterruptedError, runInterruptible } from './run-interruptible.ts'

/**
 * The program `migrate` of a service; returns the exit code. Errors go to standard error. If it is interrupted, the
 * running migration is cancelled, at the server too.
 */
export async function runMigrate(
  service: string,
  options: {
    readonly env: NodeJS.ProcessEnv
    /** The folder of the service's own migrations. */
    readonly migrations: URL
    /** Runs after the migrations. */
    readonly further?: (database: OwnDatabase, log: Logger) => Promise<void>
  },
): Promise<number> {
  const progress: MigrationProgress = { done: [], running: null }
  let url = options.env['DATABASE_URL'] ?? ''
  try {
    const own = await findOwnDatabase(options.env)
    url = own.url
    const log = createLog(service, own.logLevel)
    await runInterruptible(own, `migrate ${service}`, async (database, signal) => {
      await migrate(database, fileURLToPath(options.migrations), { log, progress, signal })
      signal.throwIfAborted()
      await options.further?.(database, log)
    })
    return 0
  } catch (err) {
    if (err instanceof InterruptedError) {
      console.error(`${err.message}. ${describe(progress)} Migrate again to go on.`)
      return err.exitCode
    }
    console.error(messageWithoutPassword(err, url))
    return 1
  }
}

const describe = ({ done, running }: MigrationProgress): string =>
  `Done: ${done.join(', ') || 'nothing'}. Not done: ${running === null ? '' : `${running} and `}what comes after.`
