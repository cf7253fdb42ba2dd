import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import type pg from 'pg'
import type { Logger } from '../telemetry/log.ts'
import { connectOnce } from './connect-once.ts'
import { migrationLoader } from './load-migrations.ts'
import type { OwnDatabase } from './own-database.ts'

const SHARED_MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/** A table that stays locked for longer than these attempts and pauses needs an operator. */
const ATTEMPTS = 30
const PAUSE_MS = 1_000
/** PostgreSQL's `lock_not_available`. */
const IS_LOCKED = '55P03'

/** Names of the migrations that are done, and of the running one. */
export interface MigrationProgress {
  readonly done: string[]
  running: string | null
}

interface Options {
  readonly log: Logger
  /** Updated in place. */
  readonly progress: MigrationProgress
  /** Ends pauses; the caller ends the connection as well. */
  readonly signal: AbortSignal
}

/**
 * Migrates a service's database: first the tables that every service has, then its own, each a plain SQL file. Safe
 * to run on several replicas at once (an advisory lock lets one at a time work), and while the service runs: a
 * migration that finds a table locked lets others pass before it tries again.
 */
export async function migrate(database: OwnDatabase, migrationsDir: string, options: Options): Promise<void> {
  const { log, progress } = options
  // Building an index may take any time: the connection watch checks whether the server still works on it.
  await connectOnce({ ...database, statementMs: 0 }, log, async (client) => {
    await waitForLock(client, options)
    for (const { dir, migrationsTable } of [
      { dir: SHARED_MIGRATIONS, migrationsTable: 'shared_migrations' },
      { dir: migrationsDir, migrationsTable: 'migrations' },
    ]) {
      const applied = await retryWhileLocked(client, options, () =>
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

/** A migration begins when the one before is done, or again if it found a table locked. */
function begin(progress: MigrationProgress, name: string | null): void {
  if (progress.running !== null && progress.running !== name) progress.done.push(progress.running)
  progress.running = name
}

/**
 * Takes node-pg-migrate's own lock, for as long as the connection lives. Polls for it: a statement that waits for the
 * lock has a snapshot, which a concurrent index build of the other migration would wait for in turn.
 */
async function waitForLock(client: pg.Client, { log, signal }: Options): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ isAlone: boolean }>(
      'select pg_try_advisory_lock($1) as "isAlone"',
      [PG_MIGRATE_LOCK_ID],
    )
    if (rows[0]?.isAlone) return
    if (attempt === 1) log.info('waiting for another migration of this database')
    await sleep(PAUSE_MS, undefined, { signal })
  }
}

async function retryWhileLocked<T>(
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
