import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createDatabases, databaseUrls, dropDatabases, runMigrations } from '@tms/local-system'
import { createLog, createPool } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockTable } from './support/table-lock.ts'
import { until } from './support/until.ts'

const repoRoot = fileURLToPath(new URL('../..', import.meta.url))
const silent = createLog('test', 'silent')

let databases: TestDatabases
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
}, 180_000)
afterAll(() => databases.stop(), 30_000)

describe('migrations of empty databases', () => {
  const namespace = `empty${process.pid}`
  let server: string
  beforeAll(async () => {
    server = Object.assign(new URL(databases.urls.users), { pathname: '/postgres' }).href
    await createDatabases(server, namespace)
  })
  afterAll(() => dropDatabases(server, namespace))

  test('run three times at once', async () => {
    const urls = databaseUrls(server, namespace)
    const migrate = () => runMigrations({ repoRoot, databaseUrls: urls, env: process.env })

    await Promise.all([migrate(), migrate(), migrate()])

    const db = createPool(urls.messaging, 1, silent)
    const { rows } = await db.query('select from pg_index where not indisvalid')
    await db.end()
    expect(rows).toEqual([])
  })
})

describe('migrations that are interrupted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tms-migrations-'))
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), `-- Up Migration\n${text};\n\n-- Down Migration\n`)
  let db: ReturnType<typeof createPool>
  beforeAll(() => {
    cpSync(join(repoRoot, 'services', 'realm', 'migrations'), folder, { recursive: true })
    write('9001_done.sql', 'create table trial (id bigint)')
    write(
      '9002_slow.sql',
      'alter table trial add column seen bigint;\nalter table realms add column trial bigint',
    )
    db = createPool(databases.urls.realm, 3, silent)
  })
  afterAll(async () => {
    await db.end()
    rmSync(folder, { recursive: true })
  })

  /** The program of a service, as a separate process. */
  const startMigrate = () => {
    const script = `import { runMigrate } from '@tms/service-kit'
      process.exitCode = await runMigrate('realm', { env: process.env, migrations: new URL(process.env.FOLDER) })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(repoRoot, 'tests'),
      env: {
        PATH: process.env['PATH'],
        FOLDER: pathToFileURL(folder).href,
        DATABASE_URL: databases.urls.realm,
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    return { child, ended: once(child, 'close').then(([status]) => ({ status: status as number, output })) }
  }

  const columns = async (table: string) => {
    const { rows } = await db.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0',
      [table],
    )
    return rows.map(({ name }) => name)
  }

  test.each([
    ['SIGINT', 130, 'Done: 9001_done'],
    ['SIGTERM', 143, 'Done: nothing'],
  ] as const)(
    'are cancelled in PostgreSQL too (%s), and report what is done',
    async (signal, status, done) => {
      const lock = await lockTable(db, 'realms')
      const { child, ended } = startMigrate()
      await lock.waitForWaiters(1)

      child.kill(signal)

      expect(await ended).toEqual({
        status,
        output: `Interrupted by ${signal}. ${done}. Not done: 9002_slow and what comes after. Migrate again to go on.\n`,
      })
      // No client waits any more, so nothing happens when the table is unlocked.
      await lock.waitForWaiters(0)
      await lock.release()
      expect(await columns('trial')).toEqual(['id'])
    },
    30_000,
  )

  test('end also while they wait for other migrations, and continue when they are run again', async () => {
    const other = await db.connect()
    await other.query('select pg_advisory_lock(7241865325823964)')
    const { child, ended } = startMigrate()
    await until(async () => {
      const { rows } = await db.query(
        `select from pg_stat_activity where application_name like 'migrate realm %' and state = 'idle'`,
      )
      return rows.length === 1
    })
    child.kill('SIGTERM')
    expect((await ended).status).toBe(143)

    await other.query('select pg_advisory_unlock_all()')
    other.release()
    expect(await startMigrate().ended).toEqual({ status: 0, output: '' })
    expect(await columns('trial')).toEqual(['id', 'seen'])
    expect(await columns('realms')).toContain('trial')
  })
})
