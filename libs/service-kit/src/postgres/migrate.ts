import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { Logger } from '../log.ts'
import type { ClientTls } from '../tls/settings.ts'
import { postgresConnection } from './connection.ts'
import { loadMigrations } from './load-migrations.ts'

const SHARED_MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** A table that somebody keeps locked for longer than these attempts and pauses take is for an operator to look at. */
const ATTEMPTS = 30
const PAUSE_MS = 1_000
/** PostgreSQL's `lock_not_available`. */
const IS_LOCKED = '55P03'

/**
 * Brings a service's database up to date: first the tables that every service has, then its own, each a
 * plain SQL file. Safe to run on several replicas at once (an advisory lock lets one at a time work), and while the service
 * works: what finds a table locked lets others pass before it tries again.
 */
export async function migrate(
  url: string,
  migrationsDir: string,
  log: Logger,
  tls: ClientTls,
): Promise<void> {
  const databaseUrl = postgresConnection(url, tls)
  for (const { dir, migrationsTable } of [
    { dir: SHARED_MIGRATIONS, migrationsTable: 'shared_migrations' },
    { dir: migrationsDir, migrationsTable: 'migrations' },
  ]) {
    const applied = await againWhileLocked(log, () =>
      runner({
        databaseUrl,
        dir,
        migrationsTable,
        direction: 'up',
        advisoryLockMode: 'wait',
        migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadMigrations }],
        log: () => {},
      }),
    )
    for (const { name } of applied) log.info({ migration: name }, 'migration applied')
  }
}

async function againWhileLocked<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if ((err as { code?: unknown }).code !== IS_LOCKED || attempt === ATTEMPTS) throw err
      log.warn({ err }, 'a table is locked, the migration will be tried again')
      await sleep(PAUSE_MS)
    }
  }
}
