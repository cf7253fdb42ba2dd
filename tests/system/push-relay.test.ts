import { endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealedRelayTests } from './push/sealed-relay.ts'
import { refusal, success } from './support/answers.ts'
import { untilDevicesKnown } from './support/known-devices.ts'
import { startPushRelayService } from './support/push-relay-service.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { until } from './support/until.ts'
import { newUsers, sendDirectly } from './support/users-and-channels.ts'

const { addAndroidDevice, addApnsDevice, removeAndroidDevice } = endpoints.users
const { regenerateApiKey, testPushNotification } = endpoints.users
const { updateMessageFlags } = endpoints.messaging

/** What the service says to an installation that it doesn't know by its key. */
const UNREGISTERED = {
  status: 401,
  body: { result: 'error', msg: 'Unknown', code: 'INVALID_ZULIP_SERVER' },
}
const CONTACT = ['--contact-email', 'operator@example.com']

let service: Awaited<ReturnType<typeof startPushRelayService>>
let product: TestSystem
let messagingDb: Pool
beforeAll(async () => {
  service = await startPushRelayService()
  product = await startTestSystem({
    env: process.env,
    serviceEnv: { MOBILE_PUSH: 'relay', ...service.variables },
  })
  messagingDb = createPool(product.system.databaseUrls.messaging, 1, createLog('test', 'silent'))
  await manage('register', ...CONTACT, '--accept-terms')
}, 180_000)
afterAll(async () => {
  await messagingDb.end()
  await product.stop()
  service.close()
  expect(service.faults).toEqual([])
})

const run = (...args: string[]) => runManageHere(environmentOf(product), ['push-relay', ...args, '--json'])
const manage = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

let count = 0
const newToken = () => `${++count}`.padStart(64, '0')

const untilKnown = (user: ApiClient, has: boolean) => untilDevicesKnown(messagingDb, [user], has)

/** A user with an Android and an Apple device. */
async function newOwner() {
  const [user] = await newUsers(product, 1)
  const [android, apple] = [newToken(), newToken()]
  await user.call(addAndroidDevice, { token: android })
  await user.call(addApnsDevice, { token: apple, appid: 'org.example.App' })
  await untilKnown(user, true)
  return { user, android, apple }
}

describe('an operator', () => {
  test('makes credentials, which nothing but a command registers', async () => {
    const { keys } = await manage('keys')
    expect(keys).toEqual({
      PUSH_RELAY_ORGANIZATION: expect.stringMatching(/^[0-9a-f-]{36}$/),
      PUSH_RELAY_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(service.registration()).toMatchObject({
      hostname: product.system.externalHost,
      contact_email: 'operator@example.com',
    })
  })

  test('registers only after accepting the terms, with an address', async () => {
    expect(await run('register', ...CONTACT)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--accept-terms'),
    })
    expect(await run('register', '--accept-terms')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--contact-email'),
    })
  })

  test('sees what the service says about each organization, and that it refuses', async () => {
    const { states } = await manage('status')
    expect(states).toContainEqual({
      ...{ realm_id: product.realmId, can_push: true, expected_end_timestamp: null },
    })
    service.answerNext('server/analytics', UNREGISTERED)
    expect(await run('status')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('INVALID_ZULIP_SERVER'),
    })
    await manage('status')
  })
})

describe('apps of a user', () => {
  test('are registered at the service, and get a message together in one call', async () => {
    const { user, android, apple } = await newOwner()
    expect(service.find('fcm', android)).toMatchObject({ appId: null })
    expect(service.find('apns', apple)).toMatchObject({ appId: 'org.example.App' })
    const id = await sendDirectly(product.owner, [user], 'hello')
    const [push] = await service.waitFor(user.userId, 1)
    expect(push).toMatchObject({
      ...{ android_devices: [android], apple_devices: [apple], gcm_options: { priority: 'high' } },
      gcm_payload: { event: 'message', zulip_message_id: String(id), content: 'hello' },
      apns_payload: {
        ...{ alert: { body: 'hello' }, sound: 'default', badge: 1 },
        custom: { zulip: { message_ids: [id], user_id: user.userId, realm_url: product.baseUrl } },
      },
    })

    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    const pushes = await service.waitFor(user.userId, 2)
    expect(pushes).toHaveLength(2)
    expect(pushes[1]).toMatchObject({
      gcm_options: { priority: 'normal' },
      gcm_payload: { event: 'remove', zulip_message_ids: String(id) },
      apns_payload: { badge: 0, custom: { zulip: { event: 'remove' } } },
    })
  })

  test('are forgotten at the service when they are removed, or the key is replaced', async () => {
    const { user, android, apple } = await newOwner()
    await user.call(removeAndroidDevice, { token: android })
    await until(async () => service.find('fcm', android) === undefined)
    expect(service.find('apns', apple)).toBeDefined()
    await user.call(regenerateApiKey, {})
    await until(async () => service.find('apns', apple) === undefined)
  })

  test('are known again after they were removed and registered', async () => {
    const { user, android } = await newOwner()
    service.answerNext('push/unregister', { status: 503 })
    await user.call(removeAndroidDevice, { token: android })
    await user.call(addAndroidDevice, { token: android })
    await sendDirectly(product.owner, [user], 'again')
    const [push] = await service.waitFor(user.userId, 1)
    expect(push?.android_devices).toEqual([android])
    expect(service.find('fcm', android)).toBeDefined()
  })

  test('are forgotten there also if the service refused that for a while', async () => {
    const { user, android } = await newOwner()
    service.answerNext('push/unregister', UNREGISTERED, {
      status: 403,
      body: { result: 'error', msg: 'Plan' },
    })
    await user.call(removeAndroidDevice, { token: android })
    await until(async () => service.find('fcm', android) === undefined)
  })

  test('are not known there if they could not be registered, also if the service had done it', async () => {
    const [user] = await newUsers(product, 1)
    const token = newToken()
    service.answerAfterwards('push/register', { status: 500 })
    expect(await user.send(addAndroidDevice, { token })).toMatchObject({ status: 502 })
    await until(async () => service.find('fcm', token) === undefined)
    await user.call(addAndroidDevice, { token })
    expect(service.find('fcm', token)).toBeDefined()
  })

  test('are removed when the service has lost them', async () => {
    const { user, android, apple } = await newOwner()
    service.forget('fcm', android)
    service.forget('apns', apple)
    await sendDirectly(product.owner, [user], 'lost')
    await service.waitFor(user.userId, 1)
    await untilKnown(user, false)
    expect(await user.send(removeAndroidDevice, { token: android })).toMatchObject(refusal('BAD_REQUEST'))
  })

  test('get it at another attempt if the service fails, or asks for a pause', async () => {
    const { user } = await newOwner()
    const pause = { 'retry-after': '1' }
    service.answerNext(
      'push/notify',
      ...[{ status: 502 }, { status: 429, headers: pause }],
      // Its key is being replaced.
      { ...UNREGISTERED, headers: pause },
    )
    await sendDirectly(product.owner, [user], 'later')
    expect((await service.waitFor(user.userId, 1))[0]).toMatchObject({ gcm_payload: { content: 'later' } })
  })

  test('get it three times at most if the service fails after it has sent it', async () => {
    const { user } = await newOwner()
    const failure = { status: 500, headers: { 'retry-after': '0' } }
    service.answerAfterwards('push/notify', failure, failure, failure)
    await sendDirectly(product.owner, [user], 'unclear')
    await sendDirectly(product.owner, [user], 'next')
    const pushes = await service.waitFor(user.userId, 4)
    expect(pushes.map(({ gcm_payload: { content } }) => content)).toEqual([
      ...['unclear', 'unclear', 'unclear'],
      'next',
    ])
  })

  test('are not registered here while the service fails, and say what it refuses', async () => {
    const [user] = await newUsers(product, 1)
    const token = newToken()
    const send = () => user.send(addAndroidDevice, { token })
    service.answerNext('push/register', { status: 500 })
    expect(await send()).toMatchObject({ ...refusal('INTERNAL_SERVER_ERROR_ON_BOUNCER'), status: 502 })
    service.answerNext('push/register', {
      status: 400,
      body: { result: 'error', msg: 'Plan', code: 'PUSH_NOTIFICATIONS_DISALLOWED' },
    })
    expect(await send()).toMatchObject(refusal('PUSH_NOTIFICATIONS_DISALLOWED'))
    expect(await user.send(removeAndroidDevice, { token })).toMatchObject(refusal('BAD_REQUEST'))
    expect(await send()).toMatchObject(success())
  })

  test('are tested one by one', async () => {
    const { user, android, apple } = await newOwner()
    expect(await user.send(testPushNotification, { token: android })).toMatchObject(success())
    const tested = () => service.tests.filter(({ token }) => token === android || token === apple)
    expect(tested()).toEqual([
      { token: android, base: expect.objectContaining({ user_id: user.userId, realm_url: product.baseUrl }) },
    ])
    service.forget('fcm', android)
    expect(await user.send(testPushNotification, { token: android })).toMatchObject(
      refusal('INVALID_REMOTE_PUSH_DEVICE_TOKEN'),
    )
    expect(await user.send(testPushNotification, { token: 'unknown' })).toMatchObject(
      refusal('INVALID_PUSH_DEVICE_TOKEN'),
    )
  })
})

test('a test reaches the newest apps, also if one of them is unknown', async () => {
  const [user] = await newUsers(product, 1)
  const tokens = Array.from({ length: 7 }, newToken)
  for (const token of tokens) await user.call(addAndroidDevice, { token })
  service.forget('fcm', tokens[6] as string)
  expect(await user.send(testPushNotification, {})).toMatchObject(refusal('INVALID_REMOTE_PUSH_DEVICE_TOKEN'))
  const tested = service.tests.map(({ token }) => token).filter((token) => tokens.includes(token))
  expect(tested.toSorted()).toEqual(tokens.slice(2, 6))
})

sealedRelayTests(() => ({ product, service, untilKnown }))

test('clients learn that the service stops, and when it will', async () => {
  const read = async () => {
    const state = await product.owner.call(endpoints.events.register, { fetch_event_types: ['realm'] })
    return [
      state.realm_push_notifications_enabled,
      state.realm_push_notifications_enabled_end_timestamp,
      (await product.owner.call(endpoints.realm.getServerSettings, {})).push_notifications_enabled,
    ]
  }
  const queue = await registerQueue(product.owner, { event_types: ['realm'] })
  const waitFor = (property: string, value: unknown) =>
    queue.waitFor(
      (event) => event.type === 'realm' && event['property'] === property && event['value'] === value,
      `${property} ${String(value)}`,
    )
  expect(await read()).toEqual([true, null, true])
  service.say({ can_push: true, expected_end_timestamp: 1_900_000_000 })
  await manage('status')
  await waitFor('push_notifications_enabled_end_timestamp', 1_900_000_000)
  expect(await read()).toEqual([true, 1_900_000_000, true])

  // An answer to a notification says it too.
  const { user } = await newOwner()
  service.refusePushesOf(product.realmId, true)
  await sendDirectly(product.owner, [user], 'refused')
  await waitFor('push_notifications_enabled', false)
  await waitFor('push_notifications_enabled_end_timestamp', null)
  expect(await read()).toEqual([false, null, false])

  service.refusePushesOf(product.realmId, false)
  service.say({ can_push: true, expected_end_timestamp: null })
  await manage('status')
  await waitFor('push_notifications_enabled', true)

  // It doesn't know the installation, or the organization.
  service.answerNext('server/analytics', UNREGISTERED)
  expect(await run('status')).toMatchObject({ code: 1 })
  await waitFor('push_notifications_enabled', false)
  await manage('status')
  await waitFor('push_notifications_enabled', true)
  service.answerNext('server/analytics', { status: 200, body: { realms: {} } })
  expect(await manage('status')).toMatchObject({
    states: expect.arrayContaining([
      { realm_id: product.realmId, can_push: false, expected_end_timestamp: null },
    ]),
  })
  expect(await read()).toEqual([false, null, false])
  await manage('status')
  expect(await read()).toEqual([true, null, true])
})

test('nothing is accepted after the registration has ended', async () => {
  expect(await manage('deactivate')).toMatchObject({ url: service.variables.PUSH_RELAY_URL })
  const [user] = await newUsers(product, 1)
  expect(await user.send(addAndroidDevice, { token: newToken() })).toMatchObject({
    ...refusal('INTERNAL_SERVER_ERROR_ON_BOUNCER'),
    status: 502,
  })
  const { push_notifications_enabled } = await product.owner.call(endpoints.realm.getServerSettings, {})
  expect(push_notifications_enabled).toBe(false)
  await manage('register', ...CONTACT, '--accept-terms')
  expect(await user.send(addAndroidDevice, { token: newToken() })).toMatchObject(success())
})
