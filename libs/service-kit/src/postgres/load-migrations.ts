import { readFile } from 'node:fs/promises'
import type { MigrationBuilder, RunnerOption } from 'node-pg-migrate'

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number]
type Loader = Exclude<Strategy['loader'], string>

/**
 * How long a migration waits for a lock on a table. All who come to the table meanwhile wait behind it, so too large stops the
 * service; too small gives way to what would have ended at once.
 */
const LOCK_TIMEOUT_MS = 3_000

const UP = /^-- Up Migration$/m
const DOWN = /^-- Down Migration$/m
/** For what PostgreSQL allows outside a transaction only, as an index that is built while the table is written to. */
const WITHOUT_TRANSACTION = /^-- Without a transaction\b/m

/**
 * Reads migrations: each is a transaction that gives up when a table stays locked, and is tried again; but one that says
 * `-- Without a transaction`, which consists of one statement and says `if not exists`, since it may have broken off.
 */
export const loadMigrations: Loader = (paths) =>
  Promise.all(
    paths.map(async (path) => {
      const [upwards = '', downwards] = (await readFile(path, 'utf8')).split(DOWN)
      const statements = upwards.split(UP).at(-1) ?? ''
      return {
        id: path,
        filePaths: [path],
        actions: {
          up: (pgm: MigrationBuilder) => {
            if (WITHOUT_TRANSACTION.test(statements)) pgm.noTransaction()
            else pgm.sql(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
            pgm.sql(statements)
          },
          down: downwards === undefined ? false : (pgm: MigrationBuilder) => pgm.sql(downwards),
        },
      }
    }),
  )
