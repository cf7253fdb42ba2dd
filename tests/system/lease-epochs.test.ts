import {
  closeRedis,
  connectRedis,
  createLog,
  createMetrics,
  createPool,
  type Pool,
  waitForRedis,
} from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  type ChangeAnnouncer,
  startChangeAnnouncer,
} from '../../libs/service-kit/src/cache-lease/change-announcer.ts'
import { ACKNOWLEDGE_MS, LeaseStore } from '../../libs/service-kit/src/cache-lease/lease-store.ts'

const log = createLog('test', 'silent')
let databases: TestDatabases
let redis: ReturnType<typeof connectRedis>
const pools: Pool[] = []
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  redis = connectRedis(databases.redisUrl, log)
  await waitForRedis(redis)
}, 180_000)
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await closeRedis(redis)
  await Promise.all(pools.map((pool) => pool.end()))
  await databases.stop()
})

/** The realm service's database before its first start, and a Redis that has given no leases. */
async function prepare() {
  const db = createPool(databases.urls.realm, 2, log)
  pools.push(db)
  await db.query('update recent_changes_horizon set first_epoch = null')
  const store = new LeaseStore(redis, `${databases.namespace}${pools.length}`)
  const announce = vi.spyOn(store, 'announce')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })

  const start = () =>
    startChangeAnnouncer({
      ...{ source: 'realm', db, store, log, metrics: createMetrics('test') },
      load: () => Promise.resolve(null),
    })
  /** Makes a change and announces it. Returns whether that waits, for which no time passes; then lets time pass. */
  const waitsWithChange = async (announcer: ChangeAnnouncer): Promise<boolean> => {
    await db.query(`insert into recent_changes (kind, subject_id) values ('realm', 1)`)
    const sent = Promise.withResolvers<void>()
    announce.mockImplementationOnce(async (...args) => {
      const result = await LeaseStore.prototype.announce.apply(store, args)
      sent.resolve()
      // By the clock of Redis, a slow machine would let it pass.
      return { ...result, epochAgeMs: 0 }
    })
    let waits = true
    const done = announcer.announce().then(() => {
      waits = false
    })
    await sent.promise
    // Longer than it takes to store that it is announced.
    for (let i = 0; i < 100; i++) await db.query('select 1')
    const hasWaited = waits
    await vi.advanceTimersByTimeAsync(ACKNOWLEDGE_MS)
    await done
    return hasWaited
  }
  /** Redis begins another epoch, as after a restart without its data. */
  const loseLeases = () => redis.del(`{${databases.namespace}${pools.length}:cache-leases}:state`)
  return { store, start, waitsWithChange, loseLeases }
}

test('the first change of a new installation waits for no leases from before', async () => {
  const { start, waitsWithChange } = await prepare()
  const announcer = await start()
  expect(await waitsWithChange(announcer)).toBe(false)
  await announcer.stop()
})

test('after Redis lost its leases, a change waits until none of them can be valid', async () => {
  const { start, waitsWithChange, loseLeases } = await prepare()
  const announcer = await start()
  expect(await waitsWithChange(announcer)).toBe(false)
  await loseLeases()
  expect(await waitsWithChange(announcer)).toBe(true)
  await announcer.stop()
})

test('after a later start in another epoch, the first change waits', async () => {
  const { start, waitsWithChange, loseLeases } = await prepare()
  await (await start()).stop()
  await loseLeases()
  const announcer = await start()
  expect(await waitsWithChange(announcer)).toBe(true)
  await announcer.stop()
})

test('after a first start without Redis, changes wait in its first epoch', async () => {
  const { store, start, waitsWithChange } = await prepare()
  vi.spyOn(store, 'epoch').mockRejectedValueOnce(new Error('not connected'))
  const announcer = await start()
  expect(await waitsWithChange(announcer)).toBe(true)
  await announcer.stop()
  const again = await start()
  expect(await waitsWithChange(again)).toBe(true)
  await again.stop()
})

test('replicas that start at once both know the first epoch', async () => {
  const { start, waitsWithChange } = await prepare()
  const announcers = await Promise.all([start(), start()])
  for (const announcer of announcers) expect(await waitsWithChange(announcer)).toBe(false)
  await Promise.all(announcers.map((announcer) => announcer.stop()))
})
