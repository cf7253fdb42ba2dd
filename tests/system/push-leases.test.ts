import { createLog, createPool, type Pool, Registry, transact } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leaseDueNotices } from '../../services/messaging/src/missed-messages/push-notice.queries.ts'
import type { Context } from '../../services/users/src/kernel/context.ts'
import { createDeliveryDeleter } from '../../services/users/src/pushes/delete-finished.ts'
import {
  addDeliveries,
  type Delivery,
  deleteFailedDelivery,
  deleteUnlockedDeliveries,
  keepDevices,
  leaseDueDeliveries,
  type NewDelivery,
  postponeDelivery,
  type Slots,
  withdrawMessages,
} from '../../services/users/src/pushes/delivery.queries.ts'
import { slotsOf as slotsFor } from '../../services/users/src/pushes/slots.rules.ts'
import { startPushDeliveries } from '../../services/users/src/pushes/start-push-deliveries.ts'
import { targetOf } from '../../services/users/src/pushes/target.rules.ts'
import { until } from './support/until.ts'

let databases: TestDatabases
let messaging: Pool
let users: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  const open = (url: string) => createPool(url, 4, createLog('test', 'silent'))
  ;[messaging, users] = [open(databases.urls.messaging), open(databases.urls.users)]
}, 180_000)
afterAll(async () => {
  await messaging.end()
  await users.end()
  await databases.stop()
})

describe('what is handed over to devices', () => {
  beforeEach(() => messaging.query('delete from push_notices'))

  /** So many notices of a trigger, for users from `from` on; the first is the one that is due the longest. */
  const add = (trigger: string | null, from: number, count: number) =>
    messaging.query(
      `insert into push_notices (realm_id, user_id, message_ids, trigger, attempt_at)
       select 1, n, array[n], $1, now() - interval '1 hour' + (n - $2) * interval '1 second'
         from generate_series($2::int, $2::int + $3::int - 1) n`,
      [trigger, from, count],
    )
  const lease = async (limit: number) =>
    (await leaseDueNotices(messaging, { leaseMs: 60_000, limit }))
      .map(({ userId }) => userId)
      .sort((a, b) => a - b)
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

  test('goes to single users first, and leaves a fifth to what goes to many', async () => {
    await add('stream_push_notify', 1_000, 100)
    await add('direct_message', 2_000, 30)
    await add('mentioned', 3_000, 30)
    await add(null, 4_000, 30)
    const first = await lease(50)
    expect(first.filter((id) => id < 2_000)).toEqual(range(1_000, 10))
    expect(first).toHaveLength(50)
    const second = await lease(50)
    expect(second.filter((id) => id < 2_000)).toEqual(range(1_010, 10))
    expect(second).toHaveLength(50)
    // Ten urgent ones are left, and what is free is for the others.
    const third = await lease(50)
    expect(third.filter((id) => id < 2_000)).toEqual(range(1_020, 40))
    expect(third).toHaveLength(50)
  })

  test('begins with what is due the longest, and leaves out what waits for quiet hours or another attempt', async () => {
    await add('direct_message', 2_000, 10)
    await messaging.query(
      `update push_notices
          set held_until = case when user_id = 2000 then now() - interval '1 minute' end,
              attempt_at = case when user_id = 2001 then now() + interval '1 minute' else attempt_at end`,
    )
    expect(await lease(5)).toEqual(range(2_002, 4))
    expect(await lease(50)).toEqual(range(2_006, 4))
    expect(await lease(50)).toEqual([])
  })
})

describe('what is sent to devices', () => {
  beforeAll(() =>
    users.query(
      `insert into accounts (realm_id, email, delivery_email, full_name, api_key, role)
       select 1, name, name, name, name, 400
         from (select 'user' || n || '@example.com' as name from generate_series(1, 200) n) named`,
    ),
  )
  beforeEach(async () => {
    await users.query('delete from push_devices')
    await users.query(
      `insert into push_devices (account_id, service, token) select id, 'fcm', 'token ' || id from accounts`,
    )
  })

  /** So many deliveries, each to the device of another account, after those of `from` accounts. */
  const add = (isBulk: boolean, from: number, count: number) =>
    users.query(
      `insert into push_deliveries (realm_id, account_id, device_id, target, message_id, notice, expires_at, is_bulk, attempt_at)
       select 1, d.account_id, d.id, 'fcm', 1, '{"kind": "test"}', now() + interval '1 day', $1,
              now() - interval '1 hour' + nth * interval '1 second'
         from (select *, row_number() over (order by id) as nth from push_devices) d
        where nth > $2 and nth <= $2::int + $3::int`,
      [isBulk, from, count],
    )
  /** What takes something away from the device of a delivery. */
  const removalAfter = ({ realmId, accountId, deviceId, target }: Delivery): NewDelivery => ({
    ...{ realmId, accountId, deviceId, target, seconds: 600, isBulk: false },
    notice: { kind: 'remove', messageIds: [1], unreadCount: 0 },
  })
  const slotsOf = (all: number, bulk: number): Slots => ({
    ...{ byTarget: { fcm: all }, ofOtherTarget: 0, named: 0, byAccount: {}, ofOtherAccount: 4 },
    ...{ ofServices: ['fcm'], bulk: { byTarget: { fcm: bulk }, ofOtherTarget: 0, named: 0 } },
  })
  const lease = async (all: number, bulk: number) =>
    (await leaseDueDeliveries(users, slotsOf(all, bulk))).map(({ isBulk }) => isBulk)
  const count = (found: readonly boolean[]) => ({
    urgent: found.filter((isBulk) => !isBulk).length,
    bulk: found.filter((isBulk) => isBulk).length,
  })

  test('goes to single users first, but for the share of what goes to many', async () => {
    await add(true, 0, 50)
    await add(false, 50, 25)
    expect(count(await lease(20, 4))).toEqual({ urgent: 16, bulk: 4 })
    // It has its share already.
    expect(count(await lease(5, 0))).toEqual({ urgent: 5, bulk: 0 })
    expect(count(await lease(20, 4))).toEqual({ urgent: 4, bulk: 16 })
  })

  test('is urgent after a failure if something urgent waits for the same device', async () => {
    await add(true, 0, 1)
    const [leased] = await leaseDueDeliveries(users, slotsOf(1, 1))
    await add(false, 0, 1)
    if (!leased) throw new Error('nothing was due')
    await postponeDelivery(users, leased, { delayMs: 0, isUnclear: false })
    await add(true, 1, 1)
    expect(await lease(1, 0)).toEqual([false])
    expect(await lease(1, 0)).toEqual([true])
  })

  test('waits behind what is to be tried again later, and is due once that has ended', async () => {
    await add(false, 0, 1)
    await add(false, 0, 1)
    const [first] = await leaseDueDeliveries(users, slotsOf(1, 1))
    if (!first) throw new Error('nothing was due')
    await postponeDelivery(users, first, { delayMs: 60_000, isUnclear: false })
    await transact(users, (tx) => addDeliveries(tx, [removalAfter(first)]))
    // None of them is read by a lease meanwhile.
    const { rows } = await users.query('select id from push_deliveries where attempt_at <= now()')
    expect(rows).toEqual([])
    await deleteFailedDelivery(users, first)
    expect(await lease(5, 5)).toEqual([false])
  })

  test('is due at once although what it waits behind is leased while it is being queued', async () => {
    await add(false, 0, 1)
    const first = await transact(users, async (tx) => {
      await tx.query('select')
      const [leased] = await leaseDueDeliveries(users, slotsOf(1, 1))
      if (!leased) throw new Error('nothing was due')
      await addDeliveries(tx, [removalAfter(leased)])
      return leased
    })
    await deleteUnlockedDeliveries(users, [first.id])
    expect(await lease(1, 1)).toEqual([false])
  })

  test('stays while it is being sent, although its message is withdrawn by a transaction that has begun before', async () => {
    await add(false, 0, 1)
    await transact(users, async (tx) => {
      await tx.query('select')
      const [leased] = await leaseDueDeliveries(users, slotsOf(1, 1))
      if (!leased) throw new Error('nothing was due')
      await withdrawMessages(tx, [{ accountId: leased.accountId, messageId: 1 }])
    })
    const { rows } = await users.query('select expires_at <= now() as is_withdrawn from push_deliveries')
    expect(rows).toEqual([{ is_withdrawn: true }])
  })

  test('goes to browsers although many addresses that users named do not answer', async () => {
    const addAt = (target: string, from: number, count: number) =>
      users.query(
        `insert into push_deliveries (realm_id, account_id, device_id, target, message_id, notice, expires_at)
         select 1, d.account_id, d.id, $1, 1, '{"kind": "test"}', now() + interval '1 day'
           from (select *, row_number() over (order by id) as nth from push_devices) d
          where nth > $2 and nth <= $2::int + $3::int`,
        [target, from, count],
      )
    for (let host = 0; host < 10; host++) await addAt(`https://${host}.example.com`, host * 10, 10)
    const running = await leaseDueDeliveries(users, slotsFor([], new Map()))
    expect(running).toHaveLength(64)
    const browsers = ['https://fcm.googleapis.com/x', 'https://wns2-db5p.notify.windows.com/w/?token=x']
    for (const [index, token] of browsers.entries())
      await addAt(targetOf({ service: 'web_push', token }), 150 + index * 2, 2)
    const next = await leaseDueDeliveries(users, slotsFor(running, new Map()))
    expect(next.map(({ target }) => target).toSorted()).toEqual([
      ...['https://fcm.googleapis.com', 'https://fcm.googleapis.com'],
      ...['https://notify.windows.com', 'https://notify.windows.com'],
    ])
  })

  test('is attempted by one replica, however long that takes', async () => {
    await add(false, 0, 1)
    const answer = Promise.withResolvers<{ kind: 'sent' }>()
    let attempts = 0
    const fcm = {
      send: () => {
        attempts++
        return answer.promise
      },
      close: () => {},
    }
    const context = {
      ...{ db: users, pushes: { senders: { fcm } }, now: () => new Date() },
      realms: { findById: async () => ({ is_active: true, url: 'https://example.com', name: 'Example' }) },
    } as unknown as Context
    const replicas = [1, 2].map(() =>
      startPushDeliveries(context, new Registry(), createLog('test', 'silent')),
    )
    const leaseOf = async () => {
      const { rows } = await users.query<{ until: string }>(
        'select attempt_at::text as until from push_deliveries',
      )
      return rows[0]?.until
    }
    await until(async () => attempts > 0)
    const first = await leaseOf()
    // It would end after 20 seconds.
    await until(async () => attempts > 1 || (await leaseOf()) !== first, 40_000)
    const ends = [first, await leaseOf()].map((text) => new Date(text ?? '').getTime())
    expect((ends[1] ?? 0) - (ends[0] ?? 0)).toBeLessThan(20_000)
    answer.resolve({ kind: 'sent' })
    await until(async () => (await leaseOf()) === undefined)
    expect(attempts).toBe(1)
    await Promise.all(replicas.map((replica) => replica.stop()))
  })

  /** How many statements about devices or deliveries wait for a lock. */
  const countWaiters = async () => {
    const { rows } = await users.query<{ count: number }>(
      `select count(*)::int as count
         from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ 'push_de(vices|liveries)'`,
    )
    return rows[0]?.count ?? 0
  }

  test('is due once what it waits behind has ended, also if it is queued at that moment', async () => {
    await add(false, 0, 1)
    const [first] = await leaseDueDeliveries(users, slotsOf(1, 1))
    if (!first) throw new Error('nothing was due')
    await postponeDelivery(users, first, { delayMs: 60_000, isUnclear: false })
    // So that what is queued has to wait longer than a lease.
    await add(false, 0, 1)
    await users.query(`update push_deliveries set attempt_at = now() + interval '1 hour'`)
    let isDeleted = false
    const deleting = await transact(users, async (tx) => {
      await keepDevices(tx, [first.deviceId])
      await addDeliveries(tx, [removalAfter(first)])
      const deletion = deleteFailedDelivery(users, first).then(() => {
        isDeleted = true
      })
      await until(async () => isDeleted || (await countWaiters()) > 0)
      return { deletion }
    })
    await deleting.deletion
    const { rows } = await users.query('select id from push_deliveries where attempt_at > now()')
    expect(rows).toEqual([])
  })

  test('stays while it is being sent, although its message is withdrawn while it is being leased', async () => {
    await add(false, 0, 1)
    const leasing = await transact(users, async (tx) => {
      const [leased] = await leaseDueDeliveries(tx, slotsOf(1, 1))
      if (!leased) throw new Error('nothing was due')
      const withdrawal = withdrawMessages(users, [{ accountId: leased.accountId, messageId: 1 }])
      await until(async () => (await countWaiters()) > 0)
      return { withdrawal }
    })
    await leasing.withdrawal
    const { rows } = await users.query('select expires_at <= now() as is_withdrawn from push_deliveries')
    expect(rows).toEqual([{ is_withdrawn: true }])
  })

  test('is deleted when it has ended, although others that have ended are locked', async () => {
    await add(false, 0, 3)
    const [locked, ...others] = await leaseDueDeliveries(users, slotsOf(3, 0))
    if (!locked) throw new Error('nothing was due')
    const end = createDeliveryDeleter(users, createLog('test', 'silent'))
    const left = async () => (await users.query('select id::text from push_deliveries')).rows
    const endings = await transact(users, async (tx) => {
      await tx.query('select from push_deliveries where id = $1 for update', [locked.id])
      const ending = end(locked)
      await Promise.all(others.map(end))
      expect(await left()).toEqual([{ id: locked.id }])
      return { ending }
    })
    await endings.ending
    expect(await left()).toEqual([])
  })

  test('releases what waits behind it, if it had failed before', async () => {
    await add(false, 0, 2)
    const [first] = await leaseDueDeliveries(users, slotsOf(1, 0))
    if (!first) throw new Error('nothing was due')
    await postponeDelivery(users, first, { delayMs: 60_000, isUnclear: false })
    await transact(users, (tx) => addDeliveries(tx, [removalAfter(first)]))
    await createDeliveryDeleter(users, createLog('test', 'silent'))({ ...first, failures: 1 })
    expect(await lease(5, 5)).toEqual([false, false])
  })

  test('is queued although its device is removed meanwhile', async () => {
    await add(false, 0, 1)
    const [first] = await leaseDueDeliveries(users, slotsOf(1, 1))
    if (!first) throw new Error('nothing was due')
    const { deviceId, accountId } = first
    const removing = await transact(users, async (tx) => {
      await keepDevices(tx, [deviceId])
      await withdrawMessages(tx, [{ accountId, messageId: 1 }])
      const removal = users.query('delete from push_devices where id = $1', [deviceId])
      await until(async () => (await countWaiters()) > 0)
      await addDeliveries(tx, [removalAfter(first)])
      return { removal }
    })
    await removing.removal
    expect((await users.query('select id from push_deliveries')).rows).toEqual([])
  })
})
