import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
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
/** The index that such a migration makes. */
const INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(?<name>[\w."]+)/i

/**
 * Reads migrations: each is a transaction that gives up when a table stays locked, and is tried again; but one that says
 * `-- Without a transaction`, which consists of one statement and says `if not exists`, since it may have broken off: what
 * that left of an index is dropped first. It has failed when there are indexes afterwards that aren't valid. `onBegin` is told
 * the name of each before it is applied.
 */
export const migrationLoader =
  (onBegin: (name: string) => void): Loader =>
  (paths) =>
    Promise.all(
      paths.map(async (path) => {
        const [upwards = '', downwards] = (await readFile(path, 'utf8')).split(DOWN)
        const statements = upwards.split(UP).at(-1) ?? ''
        return {
          id: path,
          filePaths: [path],
          actions: {
            up: async (pgm: MigrationBuilder) => {
              onBegin(parse(path).name)
              if (WITHOUT_TRANSACTION.test(statements)) return buildWithoutTransaction(pgm, statements)
              pgm.sql(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
              pgm.sql(statements)
            },
            down: downwards === undefined ? false : (pgm: MigrationBuilder) => pgm.sql(downwards),
          },
        }
      }),
    )

/**
 * An index whose building breaks off is there, is kept up to date, and serves no query; nor does a unique one keep anything
 * unique. `if not exists` would leave it at that.
 */
async function buildWithoutTransaction(pgm: MigrationBuilder, statements: string): Promise<void> {
  pgm.noTransaction()
  const name = INDEX.exec(statements)?.groups?.['name']
  if (name && (await isInvalid(pgm, name))) pgm.sql(`drop index concurrently if exists ${name}`)
  pgm.sql(statements)
  pgm.sql(REFUSE_INVALID)
}

async function isInvalid({ db }: MigrationBuilder, index: string): Promise<boolean> {
  const found = await db.select(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  return found.length > 0
}

/** Those that somebody builds at this moment don't count. */
const REFUSE_INVALID = `
  do $$
  declare
    invalid text := (
      select string_agg(indexrelid::regclass::text, ', ')
      from pg_index join pg_class on oid = indexrelid
      where not indisvalid
        and relnamespace::regnamespace::name = any (current_schemas(false))
        and not exists (select from pg_stat_progress_create_index where index_relid = indexrelid)
    );
  begin
    if invalid is not null then
      raise exception 'These indexes are not valid: %. Drop them (drop index concurrently), and migrate again.', invalid;
    end if;
  end
  $$`
