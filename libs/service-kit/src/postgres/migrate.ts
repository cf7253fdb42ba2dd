import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { Logger } from '../log.ts'
import type { ClientTls } from '../tls/settings.ts'
import { postgresConnection } from './connection.ts'

const SHARED_MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings a service's database up to date: first the tables that every service has, then its own, each a
 * plain SQL file. Safe to run on several replicas at once (an advisory lock lets one at a time work).
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
    const applied = await runner({
      databaseUrl,
      dir,
      migrationsTable,
      direction: 'up',
      advisoryLockMode: 'wait',
      log: () => {},
    })
    for (const { name } of applied) log.info({ migration: name }, 'migration applied')
  }
}
