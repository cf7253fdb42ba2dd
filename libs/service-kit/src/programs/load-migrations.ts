import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import type { MigrationBuilder, RunnerOption } from 'node-pg-migrate'

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number]
type Loader = Exclude<Strategy['loader'], string>

/**
 * How long a migration waits for a lock on a table. All queries of the table queue behind it meanwhile, so too large
 * stops the service; too small gives up on transactions that would have ended at once.
 */
const LOCK_TIMEOUT_MS = 3_000

const UP = /^-- Up Migration$/m
const DOWN = /^-- Down Migration$/m
/** For statements that PostgreSQL allows only outside a transaction, such as building an index concurrently. */
const WITHOUT_TRANSACTION = /^-- Without a transaction\b/m
/** The index that such a migration builds. */
const INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(?<name>[\w."]+)/i

/**
 * Reads migrations. Each is a transaction that gives up if a table stays locked, and is tried again. A migration with
 * `-- Without a transaction` consists of one statement with `if not exists`, since an earlier attempt may have broken
 * off: the invalid index that this leaves is dropped first. It fails if invalid indexes exist afterwards. `onBegin`
 * receives the name of each before it is applied.
 */
export const migrationLoader =
  (onBegin: (name: string) => void): Loader =>
  (paths) =>
    Promise.all(
      paths.map(async (path) => {
        const [upwards = '', downwards] = (await readFile(path, 'utf8')).split(DOWN)
        const statements = upwards.split(UP).at(-1) ?? ''
        const isWithoutTransaction = WITHOUT_TRANSACTION.test(statements)
        return {
          id: path,
          filePaths: [path],
          actions: {
            up: async (pgm: MigrationBuilder) => {
              onBegin(parse(path).name)
              if (isWithoutTransaction) return buildWithoutTransaction(pgm, statements)
              pgm.sql(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
              pgm.sql(statements)
            },
            down:
              downwards !== undefined &&
              ((pgm: MigrationBuilder) => {
                if (isWithoutTransaction) pgm.noTransaction()
                pgm.sql(downwards)
              }),
          },
        }
      }),
    )

/**
 * An index whose building broke off exists and is maintained, but serves no query and, if unique, enforces nothing.
 * `if not exists` would leave it like that.
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

/** Indexes that somebody builds at this moment don't count. */
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
