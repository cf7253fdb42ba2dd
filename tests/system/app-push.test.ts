import { endpoints } from '@tms/contracts'
import type { Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from './support/answers.ts'
import type { AppPushService } from './support/app-push-services.ts'
import { type AppPushSystem, startAppPushSystem } from './support/app-push-system.ts'
import { untilDevicesKnown } from './support/known-devices.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from './support/users-and-channels.ts'

const { addAndroidDevice, addApnsDevice, testPushNotification, updateSettings } = endpoints.users
const { updateMessageFlags } = endpoints.messaging

let product: TestSystem
let messagingDb: Pool
let fcm: AppPushService
let apns: AppPushService
let stop: AppPushSystem['stop']
beforeAll(async () => {
  ;({ product, messagingDb, fcm, apns, stop } = await startAppPushSystem())
}, 180_000)
afterAll(async () => {
  expect(await stop()).toEqual([[], []])
})

let count = 0
const newToken = () => `${++count}`.padStart(64, '0')

const untilKnown = (user: ApiClient, has: boolean) => untilDevicesKnown(messagingDb, [user], has)

async function newPhone(kind: 'fcm' | 'apns', appid?: string) {
  const [user] = await newUsers(product, 1)
  const token = newToken()
  if (kind === 'fcm') await user.call(addAndroidDevice, { token })
  else await user.call(addApnsDevice, { token, ...(appid !== undefined && { appid }) })
  await untilKnown(user, true)
  return { user, token }
}

describe.concurrent('an Android app', () => {
  test('gets what it shows of a channel, every value as a string', async () => {
    const { user, token } = await newPhone('fcm')
    const channel = await newChannel(product.owner, { others: [user] })
    const id = await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
    const [push] = await fcm.waitFor(token, 1)
    expect(push?.body).toMatchObject({
      android: { priority: 'HIGH', ttl: expect.stringMatching(/^86\d{3}s$/) },
      data: {
        ...{ event: 'message', realm_url: product.baseUrl, user_id: String(user.userId) },
        ...{ zulip_message_id: String(id), sender_id: String(product.owner.userId) },
        ...{ recipient_type: 'stream', stream: channel.name, stream_id: String(channel.id), topic: 'plans' },
        content: expect.stringContaining(' look'),
        time: expect.stringMatching(/^\d+$/),
        sender_avatar_url: expect.stringMatching(/^https?:\/\//),
        sender_full_name: expect.stringMatching(/./),
      },
    })
  })

  test('gets a group conversation with all members, and what disappears', async () => {
    const { user, token } = await newPhone('fcm')
    const [other] = await newUsers(product, 1)
    const id = await sendDirectly(product.owner, [user, other], 'all of you')
    const [push] = await fcm.waitFor(token, 1)
    const members = [product.owner, user, other].map(({ userId }) => userId).sort((a, b) => a - b)
    expect(push?.body).toMatchObject({ data: { recipient_type: 'private', pm_users: members.join(',') } })
    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    const removal = (await fcm.waitFor(token, 2))[1]
    expect(removal?.body).toMatchObject({
      android: { priority: 'NORMAL' },
      data: { event: 'remove', zulip_message_ids: String(id) },
    })
  })

  test('is removed if the service no longer knows it', async () => {
    const { user, token } = await newPhone('fcm')
    fcm.answerNext(token, { status: 404, body: { error: { details: [{ errorCode: 'UNREGISTERED' }] } } })
    await sendDirectly(product.owner, [user], 'gone')
    await untilKnown(user, false)
    expect(fcm.received(token)).toHaveLength(1)
  })

  test('stays although the installation has had the credentials of others', async () => {
    const { user, token } = await newPhone('fcm')
    const details = [{ errorCode: 'SENDER_ID_MISMATCH' }]
    fcm.answerNext(token, { status: 403, body: { error: { details } } })
    await sendDirectly(product.owner, [user], 'lost')
    await fcm.waitFor(token, 1)
    await sendDirectly(product.owner, [user], 'with the right credentials')
    expect((await fcm.waitFor(token, 2))[1]?.body).toMatchObject({
      data: { content: 'with the right credentials' },
    })
  })

  test('gets it at another attempt if the service fails or wants another token', async () => {
    const { user, token } = await newPhone('fcm')
    fcm.answerNext(token, { status: 401 }, { status: 503, headers: { 'retry-after': '1' } })
    await sendDirectly(product.owner, [user], 'again')
    expect(await fcm.waitFor(token, 3)).toHaveLength(3)
  })
})

describe.concurrent('an Apple app', () => {
  test('gets what it shows, and a badge that counts what is unread', async () => {
    const { user, token } = await newPhone('apns', 'org.example.App')
    const ids = [
      await sendDirectly(product.owner, [user], 'one'),
      await sendDirectly(product.owner, [user], 'two'),
    ]
    const [first, second] = await apns.waitFor(token, 2)
    expect(first?.headers).toMatchObject({
      ...{ 'apns-topic': 'org.example.App', 'apns-push-type': 'alert', 'apns-priority': '10' },
      'apns-collapse-id': String(ids[0]),
    })
    expect(Number(first?.headers['apns-expiration'])).toBeGreaterThan(Date.now() / 1_000 + 86_000)
    expect(first?.body).toMatchObject({
      aps: { alert: { subtitle: '', body: 'one' }, sound: 'default', badge: 1 },
      zulip: {
        ...{ realm_url: product.baseUrl, user_id: user.userId, sender_id: product.owner.userId },
        ...{ recipient_type: 'private', message_ids: [ids[0]] },
      },
    })
    expect(second?.body).toMatchObject({ aps: { badge: 2 } })

    await user.call(updateMessageFlags, { messages: ids, op: 'add', flag: 'read' })
    const removal = (await apns.waitFor(token, 3))[2]
    expect(removal?.headers).toMatchObject({ 'apns-priority': '5' })
    expect(removal?.body).toMatchObject({
      aps: { badge: 0, 'content-available': 1 },
      zulip: { event: 'remove', zulip_message_ids: ids.toReversed().join(',') },
    })
  })

  test('says in the language of the user who mentioned them', async () => {
    const { user, token } = await newPhone('apns')
    await user.call(updateSettings, { default_language: 'de' })
    const channel = await newChannel(product.owner, { others: [user] })
    await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
    const [push] = await apns.waitFor(token, 1)
    expect(push?.body).toMatchObject({
      aps: { alert: { subtitle: expect.stringMatching(/ hat dich erwähnt:$/) } },
    })
  })

  test('says who mentioned the user where', async () => {
    const { user, token } = await newPhone('apns')
    const channel = await newChannel(product.owner, { others: [user] })
    await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
    const [push] = await apns.waitFor(token, 1)
    expect(push?.headers).toMatchObject({ 'apns-topic': 'org.example.Default' })
    expect(push?.body).toMatchObject({
      aps: {
        alert: { title: `#${channel.name} > plans`, subtitle: expect.stringMatching(/ mentioned you:$/) },
      },
      zulip: { recipient_type: 'stream', stream_id: channel.id, topic: 'plans' },
    })
  })

  test('is removed if the service no longer knows it', async () => {
    const { user, token } = await newPhone('apns')
    apns.answerNext(token, { status: 410, body: { reason: 'Unregistered' } })
    await sendDirectly(product.owner, [user], 'gone')
    await untilKnown(user, false)
    expect(apns.received(token)).toHaveLength(1)
  })

  test.each(['BadDeviceToken', 'DeviceTokenNotForTopic'])(
    'stays although wrong settings of the installation have led to %s',
    async (reason) => {
      const { user, token } = await newPhone('apns')
      apns.answerNext(token, { status: 400, body: { reason } })
      await sendDirectly(product.owner, [user], 'lost')
      await apns.waitFor(token, 1)
      await sendDirectly(product.owner, [user], 'with the right settings')
      expect((await apns.waitFor(token, 2))[1]?.body).toMatchObject({
        aps: { alert: { body: 'with the right settings' } },
      })
    },
  )

  test('has an ID that can be a header', async () => {
    const [user] = await newUsers(product, 1)
    for (const appid of ['org.example.App\u0001', 'org example'])
      expect(await user.send(addApnsDevice, { token: newToken(), appid })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
  })
})

test('a test reaches all devices of a user, or one', async () => {
  const { user, token } = await newPhone('apns')
  const android = newToken()
  await user.call(addAndroidDevice, { token: android })
  expect(await user.send(testPushNotification, { token: android })).toMatchObject(success())
  expect((await fcm.waitFor(android, 1))[0]?.body).toMatchObject({ data: { event: 'test' } })
  expect(apns.received(token)).toHaveLength(0)
  expect(await user.send(testPushNotification, {})).toMatchObject(success())
  expect((await apns.waitFor(token, 1))[0]?.body).toMatchObject({ zulip: { event: 'test' } })
})

test('clients learn that the server sends notifications', async () => {
  const settings = await product.owner.call(endpoints.realm.getServerSettings, {})
  expect(settings.push_notifications_enabled).toBe(true)
  const state = await product.owner.call(endpoints.events.register, { fetch_event_types: ['realm'] })
  expect(state).toMatchObject({ realm_push_notifications_enabled: true })
})

// Others wait a minute for a service that ended.
test('an installation without the credentials of a push service says so at once, and does not start', async () => {
  const starting = startTestSystem({ env: process.env, serviceEnv: { MOBILE_PUSH: 'fcm' } })
  await expect(starting).rejects.toThrow(/users did not start[^]*FCM_SERVICE_ACCOUNT is missing/)
})
