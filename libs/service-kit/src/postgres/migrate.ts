import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { connectOnce } from './connect-once.ts'
import { migrationLoader } from './load-migrations.ts'
import type { OwnDatabase } from './own-database.ts'

const SHARED_MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** A table that somebody keeps locked for longer than these attempts and pauses take is for an operator to look at. */
const ATTEMPTS = 30
const PAUSE_MS = 1_000
/** PostgreSQL's `lock_not_available`. */
const IS_LOCKED = '55P03'

/** How far migrations are, by their names. */
export interface MigrationProgress {
  readonly done: string[]
  running: string | null
}

interface Options {
  readonly log: Logger
  /** Is kept up to date. */
  readonly progress: MigrationProgress
  /** Ends pauses; who interrupts ends the connection as well. */
  readonly signal: AbortSignal
}

/**
 * Brings a service's database up to date: first the tables that every service has, then its own, each a
 * plain SQL file. Safe to run on several replicas at once (an advisory lock lets one at a time work), and while the service
 * works: what finds a table locked lets others pass before it tries again.
 */
export async function migrate(database: OwnDatabase, migrationsDir: string, options: Options): Promise<void> {
  const { log, progress } = options
  // An index takes as long as it takes: a server that works at it is asked whether it still does.
  await connectOnce({ ...database, statementMs: 0 }, log, async (client) => {
    await untilAlone(client, options)
    for (const { dir, migrationsTable } of [
      { dir: SHARED_MIGRATIONS, migrationsTable: 'shared_migrations' },
      { dir: migrationsDir, migrationsTable: 'migrations' },
    ]) {
      const applied = await againWhileLocked(client, options, () =>
        runner({
          dbClient: client,
          dir,
          migrationsTable,
          direction: 'up',
          noLock: true,
          migrationLoaderStrategies: [
            { extensions: ['.sql'], loader: migrationLoader((name) => begin(progress, name)) },
          ],
          log: () => {},
        }),
      )
      begin(progress, null)
      for (const { name } of applied) log.info({ migration: name }, 'migration applied')
    }
  })
}

/** One begins when the one before is done, or anew when it found a table locked. */
function begin(progress: MigrationProgress, name: string | null): void {
  if (progress.running !== null && progress.running !== name) progress.done.push(progress.running)
  progress.running = name
}

/**
 * Takes node-pg-migrate's own lock, for as long as the connection is there. Asks again and again: a statement that waits for
 * the lock has a snapshot, which an index that the other builds without locking its table would wait for in turn.
 */
async function untilAlone(client: pg.Client, { log, signal }: Options): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ isAlone: boolean }>(
      'select pg_try_advisory_lock($1) as "isAlone"',
      [PG_MIGRATE_LOCK_ID],
    )
    if (rows[0]?.isAlone) return
    if (attempt === 1) log.info('another migration of this database runs and is waited for')
    await sleep(PAUSE_MS, undefined, { signal })
  }
}

async function againWhileLocked<T>(
  client: pg.Client,
  { log, signal }: Options,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if ((err as { code?: unknown }).code !== IS_LOCKED || attempt === ATTEMPTS) throw err
      await client.query('rollback')
      log.warn({ err }, 'a table is locked, the migration will be tried again')
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}
