import { fileURLToPath } from 'node:url'
import { createLog, type Logger } from '../log.ts'
import { migrate } from './migrate.ts'
import { findOwnDatabase, type OwnDatabase } from './own-database.ts'

/** The program `migrate` of a service; gives the exit code. What fails is said on standard error. */
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
  try {
    const database = await findOwnDatabase(options.env)
    const log = createLog(service, database.logLevel)
    await migrate(database.url, fileURLToPath(options.migrations), log, database.tls)
    await options.further?.(database, log)
    return 0
  } catch (err) {
    console.error(err instanceof Error ? err.message : err)
    return 1
  }
}
