import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runMigrations } from '@tms/local-system'
import { createLog, createPool, runMigrate } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listSchemaDifferences } from './support/schema-differences.ts'
import { lockTable } from './support/table-lock.ts'

const repoRoot = fileURLToPath(new URL('../..', import.meta.url))

let databases: TestDatabases
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
}, 180_000)
afterAll(() => databases.stop(), 30_000)

describe('databases', () => {
  test.each(['users', 'realm'] as const)('match the Prisma schema of %s', async (service) => {
    const schema = join(repoRoot, 'services', service, 'prisma', 'schema.prisma')

    expect(await listSchemaDifferences(databases.urls[service], schema)).toEqual([])
  })

  test('are migrated again without changes, twice at once', async () => {
    const migrate = () => runMigrations({ repoRoot, databaseUrls: databases.urls, env: process.env })

    await expect(Promise.all([migrate(), migrate()])).resolves.toBeDefined()
  })

  test('stop a migration at a locked table, and can build an index without a transaction', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tms-migrations-'))
    cpSync(join(repoRoot, 'services', 'realm', 'migrations'), folder, { recursive: true })
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, name), `-- Up Migration\n\n${text};\n\n-- Down Migration\n`)
    write('9001_change.sql', 'alter table realms add column trial bigint')
    write('9002_index.sql', '-- Without a transaction: large.\ncreate index concurrently on realms (trial)')
    const db = createPool(databases.urls.realm, 2, createLog('test', 'silent'))
    const lock = await lockTable(db, 'realms')

    const env = { DATABASE_URL: databases.urls.realm, LOG_LEVEL: 'silent' }
    const exitCode = runMigrate('realm', { env, migrations: pathToFileURL(folder) })
    await lock.waitForWaiters(1)
    await lock.waitForWaiters(0)
    await lock.release()

    expect(await exitCode).toBe(0)
    const { rows } = await db.query(`select indexname from pg_indexes where indexname = 'realms_trial_idx'`)
    expect(rows).toHaveLength(1)
    await db.end()
    rmSync(folder, { recursive: true })
  })

  test('rebuild an index whose build was interrupted when the migration runs again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tms-migrations-'))
    cpSync(join(repoRoot, 'services', 'users', 'migrations'), folder, { recursive: true })
    writeFileSync(
      join(folder, '9001_index.sql'),
      '-- Up Migration\n-- Without a transaction: large.\ncreate unique index concurrently if not exists trial_once on trial (topic)',
    )
    const db = createPool(databases.urls.users, 1, createLog('test', 'silent'))
    await db.query(`create table trial as select 'same' as topic, likes from generate_series(1, 2) as likes`)
    const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const env = { DATABASE_URL: databases.urls.users, LOG_LEVEL: 'silent' }
    const tryIt = () => runMigrate('users', { env, migrations: pathToFileURL(folder) })
    const findIndexes = async () =>
      (
        await db.query(
          `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
           where indrelid = 'trial'::regclass order by name`,
        )
      ).rows

    expect(await tryIt()).toBe(1)
    expect(await findIndexes()).toEqual([{ name: 'trial_once', valid: false }])

    // Another invalid index, which the migration would leave.
    await db.query(`update trial set topic = topic || likes`)
    await db.query('create unique index concurrently others on trial ((1))').catch(() => undefined)
    expect(await tryIt()).toBe(1)
    expect(consoleError).toHaveBeenLastCalledWith(
      expect.stringContaining('These indexes are not valid: others.'),
    )
    expect(await findIndexes()).toEqual([
      { name: 'others', valid: false },
      { name: 'trial_once', valid: true },
    ])

    await db.query('drop index others')
    expect(await tryIt()).toBe(0)
    expect(await findIndexes()).toEqual([{ name: 'trial_once', valid: true }])
    consoleError.mockRestore()
    await db.end()
    rmSync(folder, { recursive: true })
  })
})
