import { inspect } from 'node:util'
import { createLog, createPool, type Pool, readRows, streamSnapshot, transact } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressOf } from './support/database-proxy.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { until } from './support/until.ts'

const SILENCE_SECONDS = 5
/** The bound, plus time for a busy machine. */
const NOTICED_MS = 12_000
/** Far longer than the bound. */
const LONG_SECONDS = 8
const log = createLog('test', 'silent')

let databases: TestDatabases
let direct: Pool
let proxy: TcpProxy
let pool: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  direct = createPool(databases.urls.realm, 2, log)
})
afterAll(async () => {
  await direct.end()
  await databases.stop()
})
beforeEach(async () => {
  const { realm: url } = databases.urls
  proxy = await startTcpProxy(addressOf(url))
  const proxied = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href
  pool = createPool(proxied, 5, log, {}, { silenceSeconds: SILENCE_SECONDS })
})
afterEach(async () => {
  proxy.close()
  await pool.end()
})

/** The time until something fails. */
const timeToFail = async (work: Promise<unknown>): Promise<number> => {
  const begunAt = performance.now()
  await expect(work).rejects.toThrow(/gone silent/)
  return performance.now() - begunAt
}

test.each([{ dropsNew: false }, { dropsNew: true }])(
  'a transaction on a lost host fails within the bound, and so do its locks: %j',
  async (hole) => {
    const key = 28
    const lost = transact(pool, async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [key])
      proxy.blackHole(hole)
      await tx.query('select 1')
    })
    expect(await timeToFail(lost)).toBeLessThan(NOTICED_MS)
    await until(async () => {
      const { rows } = await direct.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [key])
      return rows[0]?.free === true
    })
    await direct.query('select pg_advisory_unlock_all()')
    if (!hole.dropsNew) expect((await pool.query('select 1')).rowCount).toBe(1)
  },
  30_000,
)

test('idle connections are closed together with one that is found lost', async () => {
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  for (const client of clients) client.release()
  proxy.blackHole({ dropsNew: false })
  await timeToFail(pool.query('select 1'))
  const begunAt = performance.now()
  await Promise.all([pool.query('select 1'), pool.query('select 1'), pool.query('select 1')])
  expect(performance.now() - begunAt).toBeLessThan(SILENCE_SECONDS * 1_000)
})

test('its log lines contain no password', async () => {
  const lines: unknown[] = []
  const note = (...line: unknown[]) => lines.push(line)
  const noting = { debug: note, warn: note } as unknown as typeof log
  const noted = createPool(databases.urls.realm, 2, noting)
  const clients = await Promise.all([noted.connect(), noted.connect()])
  for (const client of clients) client.release()
  await direct.query('select pg_terminate_backend(pid) from pg_stat_activity where pid = any ($1)', [
    clients.map((client) => (client as unknown as { processID: number }).processID),
  ])
  await until(async () => noted.totalCount === 0)
  await noted.end()
  const { password } = new URL(databases.urls.realm)
  expect(lines.length).toBeGreaterThan(1)
  expect(inspect(lines, { depth: 20 })).not.toContain(password)
})

test('a connection that only listens is noticed too', async () => {
  const client = await pool.connect()
  await client.query('listen something')
  const ended = new Promise((resolve) => client.once('error', resolve))
  const begunAt = performance.now()
  proxy.blackHole({ dropsNew: false })
  await ended
  expect(performance.now() - begunAt).toBeLessThan(NOTICED_MS)
  client.release(true)
})

test('rows that are read in batches end with their host', async () => {
  const read = async () => {
    const rows = streamSnapshot(pool, (tx) => readRows(tx, 'select from generate_series(1, 2000)'))
    for await (const _ of rows) proxy.blackHole({ dropsNew: false })
  }
  expect(await timeToFail(read())).toBeLessThan(NOTICED_MS)
})

test.each([
  ['a statement', () => pool.query('select pg_sleep($1)', [LONG_SECONDS])],
  [
    'a wait for a lock',
    async () => {
      const client = await direct.connect()
      await client.query('select pg_advisory_lock(29)')
      setTimeout(() => client.query('select pg_advisory_unlock(29)'), LONG_SECONDS * 1_000)
      await pool.query('select pg_advisory_lock(29)')
      client.release()
    },
  ],
])(
  'a busy server may take longer: %s',
  async (_, work) => {
    const begunAt = performance.now()
    await work()
    expect(performance.now() - begunAt).toBeGreaterThan(LONG_SECONDS * 900)
  },
  30_000,
)

test('a busy connection is given up when its host is lost', async () => {
  const working = pool.query('select pg_sleep(60)')
  await until(async () => {
    const { rows } = await direct.query("select from pg_stat_activity where query like 'select pg_sleep%'")
    return rows.length === 1
  })
  proxy.blackHole()
  expect(await timeToFail(working)).toBeLessThan(NOTICED_MS)
})
