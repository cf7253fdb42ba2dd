import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { endpoints, internal } from '@tms/contracts'
import { createInternalClient, createInternalTokenSource, type Pool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { metricOf } from '../support/observe.ts'
import type { newWebPushKeys, PushServiceStandIn, PushSubscriber } from '../support/push-service.ts'
import { startPushService } from '../support/push-service.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

const { addWebPushSubscription, regenerateApiKey, testPushNotification, updateSettings } = endpoints.users
const { updateMessageFlags } = endpoints.messaging

/** A user with a browser. */
export interface PushOwner {
  readonly user: ApiClient
  readonly device: PushSubscriber
}

interface PushTestSystem {
  readonly product: TestSystem
  readonly usersDb: Pool
  readonly service: PushServiceStandIn
  readonly keys: ReturnType<typeof newWebPushKeys>
  newOwner(): Promise<PushOwner>
  /** What has appeared on a device when all that was sent before is sent. */
  settled(owner: PushOwner): Promise<unknown[]>
  untilKnown(user: ApiClient, has?: boolean): Promise<void>
}

const typeOf = ({ received }: PushSubscriber, type: string) =>
  received.map(({ payload }) => payload).filter((payload) => payload['type'] === type)

/** What waits to be sent to devices: what becomes of it meanwhile, and that one person's holds up nobody else's. */
export const waitingPushTests = (system: () => PushTestSystem): void => {
  /** How much waits to be sent to the devices of a user, of any kind or this one. */
  async function countWaiting({ userId }: ApiClient, kind: string | null = null): Promise<number> {
    const { rows } = await system().usersDb.query<{ count: number }>(
      `select count(*)::int as count
       from push_deliveries
      where account_id = $1 and ($2::text is null or notice ->> 'kind' = $2)`,
      [userId, kind],
    )
    return rows[0]?.count ?? 0
  }

  describe.concurrent('subscriptions for which something waits', () => {
    test('get what waits also if they are registered again', async () => {
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 429, headers: { 'retry-after': '2' } })
      await sendDirectly(system().product.owner, [user], 'patience')
      await until(async () => device.attempts === 1)
      await user.call(addWebPushSubscription, { ...device.subscription, removals: true })
      await device.waitFor(1)
      expect(typeOf(device, 'message').map(({ content }) => content)).toEqual(['patience'])
    })

    test('have one test waiting, however often they are tested', async () => {
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 429, headers: { 'retry-after': '3600' } })
      await user.call(testPushNotification, {})
      await until(async () => device.attempts === 1)
      for (let turn = 1; turn < 10; turn++) await user.call(testPushNotification, {})
      expect(await countWaiting(user, 'test')).toBe(1)
      await user.call(regenerateApiKey, {})
    })

    test('have a bounded number of notifications waiting', async () => {
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 429, headers: { 'retry-after': '3600' } })
      await sendDirectly(system().product.owner, [user], 'later')
      await until(async () => device.attempts === 1)
      await system().usersDb.query(
        `insert into push_deliveries (realm_id, account_id, device_id, target, message_id, notice, expires_at, attempt_at)
       select realm_id, account_id, device_id, target, message_id, notice, expires_at, now() + interval '1 hour'
         from push_deliveries, generate_series(1, 300)
        where account_id = $1`,
        [user.userId],
      )
      await sendDirectly(system().product.owner, [user], 'too much')
      await until(async () => (await countWaiting(user)) === 200)
      await user.call(regenerateApiKey, {})
    })

    test('that nothing has reached for a week are removed', async () => {
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 500 }, { status: 500 })
      await sendDirectly(system().product.owner, [user], 'nobody')
      await until(async () => device.attempts === 1)
      await system().usersDb.query(
        `with device as (
         update push_devices set failing_since = now() - interval '8 days' where account_id = $1
       )
       update push_deliveries set failures = 20 where account_id = $1`,
        [user.userId],
      )
      await system().untilKnown(user, false)
      expect(device.attempts).toBe(2)
    })

    test('get what a proxy answered with a long page of an error', async () => {
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 502, body: 'x'.repeat(20_000) })
      await sendDirectly(system().product.owner, [user], 'once more')
      await device.waitFor(1)
      expect(device.attempts).toBe(2)
      device.answerNext({ status: 410, body: 'x'.repeat(20_000) })
      await sendDirectly(system().product.owner, [user], 'gone')
      await system().untilKnown(user, false)
    })

    test('whose addresses refuse what they get are no refusals of a push service', async () => {
      const { user, device } = await system().newOwner()
      const count = async (outcome: string) => {
        const urls = system().product.system.urls.users
        const name = `pushes_total{push_service="web_push",outcome="${outcome}",service="users"}`
        const counts = await Promise.all(urls.map((url) => metricOf(url, name)))
        return counts.reduce((sum, each) => sum + each, 0)
      }
      const before = await count('refused_by_address')
      device.answerNext({ status: 403 }, { status: 301, headers: { location: '/elsewhere' } })
      for (const text of ['one', 'two']) await sendDirectly(system().product.owner, [user], text)
      await until(async () => (await count('refused_by_address')) === before + 2)
      expect(await count('refused')).toBe(0)
      expect(await system().settled({ user, device })).toEqual([])
    })

    test('whose addresses do not answer make no push service late', async () => {
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 429, headers: { 'retry-after': '3600' } })
      await sendDirectly(system().product.owner, [user], 'nobody hears it')
      await until(async () => device.attempts === 1)
      const { rowCount } = await system().usersDb.query(
        `update push_deliveries set created_at = now() - interval '1 hour' where account_id = $1`,
        [user.userId],
      )
      expect(rowCount).toBe(1)
      const [url = ''] = system().product.system.urls.users
      const name = 'push_delivery_lag_seconds{push_service="web_push",service="users"}'
      await until(async () => (await metricOf(url, name)) < 600)
      await user.call(regenerateApiKey, {})
    })

    test('show the text as it is when they are sent', async () => {
      const { owner } = system().product
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 429, headers: { 'retry-after': '6' } })
      const id = await sendDirectly(owner, [user], 'the password is 1234')
      await until(async () => device.attempts === 1)
      await owner.call(endpoints.messaging.editMessage, { message_id: id, content: 'never mind' })
      await device.waitFor(1)
      expect(typeOf(device, 'message').map(({ content }) => content)).toEqual(['never mind'])
    })

    test('are not sent what their user may not read any more', async () => {
      const { product } = system()
      const ask = createInternalClient(
        product.system.urls,
        createInternalTokenSource('users', product.system.keys.internal.privateKey),
      )
      const users = await newUsers(product, 3)
      const [reader, gone, member] = users
      const channel = await newChannel(product.owner, { others: users, isPrivate: true })
      const send = () => sendToChannel(product.owner, channel.id, '@**all** once')
      const [kept, deleted] = [await send(), await send()]
      await reader.call(updateMessageFlags, { messages: [kept], op: 'add', flag: 'read' })
      await gone.call(endpoints.messaging.unsubscribe, { subscriptions: [channel.name] })
      await product.owner.call(endpoints.messaging.editMessage, { message_id: kept, content: 'again' })
      await product.owner.call(endpoints.messaging.deleteMessage, { message_id: deleted })
      const [outsider] = await newUsers(product, 1)
      const { texts } = await ask(internal.messaging.listPushTexts, {
        messages: [...users, outsider].flatMap(({ userId: user_id }) =>
          [kept, deleted].map((message_id) => ({ user_id, message_id })),
        ),
      })
      expect(texts).toEqual([{ user_id: member.userId, message_id: kept, content: 'again' }])
    })

    test('of users who turned notifications off meanwhile get nothing of what waited', async () => {
      const { user, device } = await system().newOwner()
      device.answerNext({ status: 429, headers: { 'retry-after': '2' } })
      await sendDirectly(system().product.owner, [user], 'late')
      await until(async () => device.attempts === 1)
      await user.call(updateSettings, {
        enable_offline_push_notifications: false,
        enable_online_push_notifications: false,
      })
      await until(async () => (await countWaiting(user)) === 0)
      expect(device.attempts).toBe(1)
    })

    test('of users who turned notifications off get nothing of what waited without an attempt', async () => {
      const { user, device } = await system().newOwner()
      await user.call(updateSettings, {
        enable_offline_push_notifications: false,
        enable_online_push_notifications: false,
      })
      await system().usersDb.query(
        `insert into push_deliveries (realm_id, account_id, device_id, target, message_id, notice, expires_at, created_at)
         select a.realm_id, a.id, d.id, $2, 1, '{"kind": "summary", "message": {"time": 0}}', now() + interval '1 hour',
                now() - interval '1 minute'
           from accounts a join push_devices d on d.account_id = a.id
          where a.id = $1`,
        [user.userId, new URL(device.subscription.endpoint).origin],
      )
      await until(async () => (await countWaiting(user)) === 0)
      expect(device.attempts).toBe(0)
    })

    test('of a deactivated organization get nothing of what waited', async () => {
      const { owner } = await system().product.createOrganization('silent')
      const device = system().service.subscribe()
      await owner.call(addWebPushSubscription, device.subscription)
      device.answerNext({ status: 429, headers: { 'retry-after': '2' } })
      await owner.call(testPushNotification, {})
      await until(async () => device.attempts === 1)
      await owner.call(endpoints.realm.deactivateRealm, {})
      await until(async () => (await countWaiting(owner)) === 0)
      expect(device.attempts).toBe(1)
    })
  })

  test('an organization that is gone holds up nothing of others', async () => {
    const { product } = system()
    const { user, device } = await system().newOwner()
    const call = createInternalClient(
      product.system.urls,
      createInternalTokenSource('messaging', product.system.keys.internal.privateKey),
    )
    const notice = { message: null, removed_message_ids: [1], unread_count: 0 }
    const { outcomes } = await call(internal.users.pushNotices, {
      notices: [
        { ...notice, notice_id: randomUUID(), realm_id: 999_999, user_id: 999_999 },
        { ...notice, notice_id: randomUUID(), realm_id: product.realmId, user_id: user.userId },
      ],
    })
    expect(outcomes).toEqual(['unwanted', 'queued'])
    await until(async () => typeOf(device, 'remove').length > 0)
  })

  test('a direct message goes before what goes to many', async () => {
    const { product, keys } = system()
    const busy = await startPushService(keys.WEB_PUSH_PUBLIC_KEY)
    const register = async (user: ApiClient) => {
      const device = busy.subscribe()
      await user.call(addWebPushSubscription, device.subscription)
      return device
    }
    const members = await newUsers(product, 10)
    const [user] = await newUsers(product, 1)
    const own = await register(user)
    const ofMembers: PushSubscriber[] = []
    for (const member of members) for (let nth = 0; nth < 8; nth++) ofMembers.push(await register(member))
    for (const one of [user, ...members]) await system().untilKnown(one)
    const channel = await newChannel(product.owner, { others: members })

    busy.hang()
    await sendToChannel(product.owner, channel.id, '@**all** hear', 'news')
    await until(async () => busy.waiting >= 16)
    await until(async () => (await Promise.all(members.map((one) => countWaiting(one)))).every((n) => n > 0))
    await sendDirectly(product.owner, [user], 'for you')
    await until(async () => (await countWaiting(user)) === 1)
    busy.resume()
    const [direct] = await own.waitFor(1)
    for (const device of ofMembers) await device.waitFor(1)
    const later = ofMembers.filter(({ received: [first] }) => (first?.number ?? 0) > (direct?.number ?? 0))
    // Two replicas have at most sixteen attempts each under way when it comes.
    expect(later.length).toBeGreaterThan(20)
    busy.close()
  })

  test('a user whose addresses do not answer takes few of the attempts', async () => {
    const [sockets, quick] = [new Set<Socket>(), await system().newOwner()]
    let most = 0
    const silent = createServer((socket) => {
      sockets.add(socket)
      most = Math.max(most, sockets.size)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    })
    await once(silent.listen(0, '0.0.0.0'), 'listening')
    const { port } = silent.address() as AddressInfo
    const [user] = await newUsers(system().product, 1)
    const { subscription } = system().service.subscribe()
    for (let host = 1; host <= 40; host++)
      await user.call(addWebPushSubscription, {
        ...subscription,
        endpoint: `http://127.0.1.${host}:${port}/`,
      })
    await user.call(testPushNotification, {})
    await until(async () => sockets.size > 0)
    await system().settled(quick)
    expect(most).toBeLessThanOrEqual(2 * 4)
    await user.call(regenerateApiKey, {})
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  test('what disappears does not overtake its message', async () => {
    const slow = await startPushService(system().keys.WEB_PUSH_PUBLIC_KEY)
    const [user] = await newUsers(system().product, 1)
    const device = slow.subscribe()
    await user.call(addWebPushSubscription, { ...device.subscription, removals: true })
    await system().untilKnown(user)
    slow.hang()
    const id = await sendDirectly(system().product.owner, [user], 'slowly')
    await until(async () => slow.waiting === 1)
    slow.letOthersPass()
    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    await until(async () => device.received.length > 0 || (await countWaiting(user, 'remove')) > 0)
    slow.resume()
    await until(async () => typeOf(device, 'remove').length > 0)
    expect(device.received.map(({ payload }) => payload['type'])).toEqual(['message', 'remove'])
    slow.close()
  })
}
