import { randomBytes } from 'node:crypto'
import { endpoints, limits } from '@tms/contracts'
import type { Pool } from '@tms/service-kit'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domainEventTests } from './api/documents.ts'
import { refusal, success } from './support/answers.ts'
import type { AppPushService } from './support/app-push-services.ts'
import { type AppPushSystem, startAppPushSystem } from './support/app-push-system.ts'
import { newBotOf } from './support/bots.ts'
import { untilDevicesKnown } from './support/known-devices.ts'
import { newSealKeys, PushApp } from './support/push-app.ts'
import { until } from './support/until.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from './support/users-and-channels.ts'
import { watch } from './support/watch.ts'

const { addAndroidDevice, addApnsDevice, deactivateUser, listPushDevices } = endpoints.users
const { reactivateUser, regenerateApiKey } = endpoints.users
const { registerClientDevice, registerSealedPush, removeClientDevice, removePushDevice, testSealedPush } =
  endpoints.users
const { updateMessageFlags } = endpoints.messaging
const { updateRealm } = endpoints.realm

const keys = newSealKeys()
const olderKeys = newSealKeys()
let product: TestSystem
let messagingDb: Pool
let fcm: AppPushService
let apns: AppPushService
let stop: AppPushSystem['stop']
beforeAll(async () => {
  ;({ product, messagingDb, fcm, apns, stop } = await startAppPushSystem({
    PUSH_REGISTRATION_KEY: `${keys.privateKey},${olderKeys.privateKey}`,
  }))
}, 180_000)
afterAll(async () => {
  expect(await stop()).toEqual([[], []])
})

const untilKnown = (user: ApiClient, has: boolean) => untilDevicesKnown(messagingDb, [user], has)

const devicesOf = async (user: ApiClient): Promise<Record<string, unknown>> =>
  (await user.call(endpoints.events.register, { fetch_event_types: ['device'] }))['devices'] as Record<
    string,
    unknown
  >

/** The events about a user's clients from now on. */
async function followDevices(user: ApiClient) {
  const { queue } = await watch(user, { event_types: ['device'] })
  return {
    /** All of them, when there are so many. */
    next: async (count: number) => {
      await until(async () => queue.events.length >= count)
      return queue.events
    },
  }
}

/** A user whose app has registered its key and its token. */
async function newPhone(kind: 'fcm' | 'apns') {
  const [user] = await newUsers(product, 1)
  const app = new PushApp(kind, keys.publicKey)
  const { device_id } = await user.call(registerClientDevice, {})
  await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
  await untilKnown(user, true)
  return { user, app, device_id }
}

describe.concurrent('an Android app', () => {
  test('decrypts a message of a channel, and what disappears', async () => {
    const { user, app } = await newPhone('fcm')
    const channel = await newChannel(product.owner, { others: [user] })
    const id = await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
    const [push] = await fcm.waitFor(app.token, 1)
    expect(push?.body).toEqual({
      token: app.token,
      android: { priority: 'HIGH', ttl: expect.stringMatching(/^86\d{3}s$/) },
      data: { push_key_id: String(app.keyId), encrypted_data: expect.any(String) },
    })
    expect(app.decrypt(push)).toEqual({
      ...{ type: 'message', realm_url: product.baseUrl, user_id: user.userId, message_id: id },
      realm_name: expect.stringMatching(/./),
      ...{ recipient_type: 'channel', channel_id: channel.id, channel_name: channel.name, topic: 'plans' },
      content: expect.stringContaining(' look'),
      time: expect.any(Number),
      sender_id: product.owner.userId,
      sender_full_name: expect.stringMatching(/./),
      sender_avatar_url: expect.stringMatching(/^https?:\/\//),
    })
    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    const removal = (await fcm.waitFor(app.token, 2))[1]
    expect(removal?.body).toMatchObject({ android: { priority: 'NORMAL' } })
    expect(app.decrypt(removal)).toMatchObject({ type: 'remove', user_id: user.userId, message_ids: [id] })
  })

  test('gets a group conversation with all members, and texts that are long in bytes', async () => {
    const { user, app } = await newPhone('fcm')
    const [other] = await newUsers(product, 1)
    await sendDirectly(product.owner, [user, other], '🦉'.repeat(5_000))
    const [push] = await fcm.waitFor(app.token, 1)
    const members = [product.owner, user, other].map(({ userId }) => userId).sort((a, b) => a - b)
    expect(app.decrypt(push)).toMatchObject({
      ...{ recipient_type: 'direct', recipient_user_ids: members },
      content: expect.stringContaining('🦉🦉🦉'),
    })
  })

  test('that the service no longer knows learns it, and registers again', async () => {
    const { user, app, device_id } = await newPhone('fcm')
    const watcher = await followDevices(user)
    fcm.answerNext(app.token, {
      status: 404,
      body: { error: { details: [{ errorCode: 'UNREGISTERED' }] } },
    })
    await sendDirectly(product.owner, [user], 'gone')
    await untilKnown(user, false)
    const gone = { push_key_id: null, push_token_id: null }
    expect(await watcher.next(1)).toMatchObject([{ type: 'device', op: 'update', device_id, ...gone }])
    expect(await devicesOf(user)).toMatchObject({ [device_id]: gone })
    expect(await user.send(registerSealedPush, { device_id, ...app.tokenPart() })).toMatchObject(
      refusal('BAD_REQUEST'),
    )
    await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
    await untilKnown(user, true)
  })

  test('that gets encrypted notifications gets no others', async () => {
    const { user, app } = await newPhone('fcm')
    await user.call(addAndroidDevice, { token: app.token })
    const { push_devices } = await user.call(listPushDevices, {})
    expect(push_devices).toMatchObject([{ service: 'fcm', is_encrypted: true }])
    const [former] = await newUsers(product, 1)
    const plain = new PushApp('fcm', keys.publicKey)
    await former.call(addAndroidDevice, { token: plain.token })
    const { device_id } = await former.call(registerClientDevice, {})
    await former.call(registerSealedPush, { device_id, ...plain.keyPart(), ...plain.tokenPart() })
    expect(await former.call(listPushDevices, {})).toMatchObject({
      push_devices: [{ is_encrypted: true }],
    })
  })
})

describe.concurrent('an Apple app', () => {
  test('decrypts a direct message, and what disappears', async () => {
    const { user, app } = await newPhone('apns')
    const id = await sendDirectly(product.owner, [user], 'one')
    const [push] = await apns.waitFor(app.token, 1)
    expect(push?.headers).toMatchObject({
      ...{ 'apns-topic': 'org.example.Sealed', 'apns-push-type': 'alert', 'apns-priority': '10' },
    })
    expect(push?.body).toEqual({
      ...{ push_key_id: app.keyId, encrypted_data: expect.any(String) },
      aps: { 'mutable-content': 1, sound: 'default', alert: { title: 'New notification' } },
    })
    expect(app.decrypt(push)).toMatchObject({
      ...{ type: 'message', message_id: id, content: 'one', recipient_type: 'direct' },
      recipient_user_ids: [product.owner.userId, user.userId].sort((a, b) => a - b),
    })
    await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
    const removal = (await apns.waitFor(app.token, 2))[1]
    expect(removal?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' })
    expect(removal?.body).not.toHaveProperty('aps.alert')
    expect(app.decrypt(removal)).toMatchObject({ type: 'remove', message_ids: [id] })
  })

  test('is tested alone or with the others of its user', async () => {
    const { user, app, device_id } = await newPhone('apns')
    expect(await user.send(testSealedPush, { device_id })).toMatchObject(success())
    expect(app.decrypt((await apns.waitFor(app.token, 1))[0])).toMatchObject({
      ...{ type: 'test', user_id: user.userId, time: expect.any(Number) },
    })
    expect(await user.send(testSealedPush, {})).toMatchObject(success())
    await apns.waitFor(app.token, 2)
    const [other] = await newUsers(product, 1)
    for (const input of [{}, { device_id }])
      expect(await other.send(testSealedPush, input)).toMatchObject(refusal('BAD_REQUEST'))
  })
})

describe.concurrent('registering', () => {
  test('tells clients each step, and replaces the key and the token apart', async () => {
    const [user] = await newUsers(product, 1)
    const watcher = await followDevices(user)
    const app = new PushApp('fcm', keys.publicKey)
    const { device_id } = await user.call(registerClientDevice, {})
    const first = { device_id, ...app.keyPart(), ...app.tokenPart() }
    await user.call(registerSealedPush, first)
    expect(await watcher.next(3)).toMatchObject([
      { type: 'device', op: 'add', device_id },
      { op: 'update', device_id, pending_push_token_id: app.tokenId, push_registration_error_code: null },
      {
        ...{ op: 'update', device_id, pending_push_token_id: null, push_token_id: app.tokenId },
        ...{ push_key_id: app.keyId, push_token_last_updated_timestamp: expect.any(Number) },
      },
    ])
    await user.call(registerSealedPush, first)
    await watcher.next(5)

    app.replaceKey()
    await user.call(registerSealedPush, { device_id, ...app.keyPart() })
    expect((await watcher.next(6))[5]).toMatchObject({ device_id, push_key_id: app.keyId })
    app.replaceToken()
    await user.call(registerSealedPush, { device_id, ...app.tokenPart() })
    expect((await watcher.next(8))[7]).toMatchObject({ push_token_id: app.tokenId })
    expect(await devicesOf(user)).toEqual({
      [device_id]: {
        ...{ push_key_id: app.keyId, push_token_id: app.tokenId, pending_push_token_id: null },
        push_token_last_updated_timestamp: expect.any(Number),
        push_registration_error_code: null,
      },
    })
    await user.call(testSealedPush, {})
    expect(app.decrypt((await fcm.waitFor(app.token, 1))[0])).toMatchObject({ type: 'test' })
  })

  test('fails by an event, and leaves everything as it was', async () => {
    const { user, app, device_id } = await newPhone('fcm')
    const watcher = await followDevices(user)
    const seconds = Date.now() / 1_000
    const otherApp = new PushApp('fcm', newSealKeys().publicKey)
    const foreign = otherApp.tokenPart()
    const cases = [
      [foreign, 'INVALID_BOUNCER_PUBLIC_KEY'],
      [{ ...foreign, bouncer_public_key: keys.publicKey }, 'INVALID_ENCRYPTED_PUSH_REGISTRATION'],
      [{ ...app.tokenPart(), token_id: otherApp.tokenId }, 'INVALID_ENCRYPTED_PUSH_REGISTRATION'],
      [{ ...app.tokenPart(), token_kind: 'apns' as const }, 'INVALID_ENCRYPTED_PUSH_REGISTRATION'],
      [app.tokenPart({ token_kind: 'else' }), 'INVALID_ENCRYPTED_PUSH_REGISTRATION'],
      [app.tokenPart({ timestamp: 'now' }), 'INVALID_ENCRYPTED_PUSH_REGISTRATION'],
      [app.tokenPart({ timestamp: seconds - 90_000 }), 'REQUEST_EXPIRED'],
      [app.tokenPart({ timestamp: seconds + 7_200 }), 'REQUEST_EXPIRED'],
      [{ ...app.tokenPart(), encrypted_push_registration: 'AAAA' }, 'INVALID_ENCRYPTED_PUSH_REGISTRATION'],
    ] as const
    for (const [index, [part, code]] of cases.entries()) {
      expect(await user.send(registerSealedPush, { device_id, ...part })).toMatchObject(success())
      expect((await watcher.next(2 * index + 2)).at(-1)).toMatchObject({
        ...{ device_id, pending_push_token_id: null, push_registration_error_code: code },
      })
    }
    expect(await devicesOf(user)).toMatchObject({ [device_id]: { push_token_id: app.tokenId } })
    await user.call(testSealedPush, {})
    await fcm.waitFor(app.token, 1)
  })

  test('refuses what is malformed, incomplete, or of another user', async () => {
    const { user, app, device_id } = await newPhone('fcm')
    const { device_id: empty } = await user.call(registerClientDevice, {})
    const [other] = await newUsers(product, 1)
    const { device_id: others } = await other.call(registerClientDevice, {})
    const key = (bytes: Buffer) => ({ ...app.keyPart(), push_key: bytes.toString('base64') })
    const short = Buffer.concat([Buffer.from([0x31]), randomBytes(31)])
    const [long, otherKind] = [
      Buffer.concat([short, randomBytes(2)]),
      Buffer.concat([Buffer.from([0x32]), randomBytes(32)]),
    ]
    const { token_id: _, ...incomplete } = app.tokenPart()
    for (const input of [
      { device_id },
      { device_id: empty, ...app.keyPart() },
      { device_id: empty, ...app.tokenPart() },
      { device_id: others, ...app.keyPart(), ...app.tokenPart() },
      { device_id: 987_654_321, ...app.keyPart(), ...app.tokenPart() },
      ...[key(short), key(long), key(otherKind)].map((part) => ({ device_id, ...part })),
      { device_id, push_key: app.keyPart().push_key },
      { device_id, push_key_id: 1 },
      { device_id, ...app.keyPart(), push_key_id: 4_294_967_296 },
      { device_id, ...app.keyPart(), push_key: '%%%' },
      { device_id, ...incomplete },
      ...(['token_id', 'bouncer_public_key', 'encrypted_push_registration'] as const).map((name) => ({
        ...{ device_id, ...app.tokenPart(), [name]: 'no base64!' },
      })),
      { device_id, ...app.tokenPart(), token_id: 'AAAA' },
    ])
      expect(await user.send(registerSealedPush, input), JSON.stringify(input)).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    expect(await user.send(removeClientDevice, { device_id: others })).toMatchObject(refusal('BAD_REQUEST'))
    expect(await devicesOf(other)).toHaveProperty(String(others))
    const bot = await newBotOf(user)
    expect(await bot.send(registerClientDevice, {})).toMatchObject(refusal('BAD_REQUEST'))
  })

  test('works with the older of two keys of the installation', async () => {
    const [user] = await newUsers(product, 1)
    const app = new PushApp('fcm', olderKeys.publicKey)
    const { device_id } = await user.call(registerClientDevice, {})
    await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
    expect(await devicesOf(user)).toMatchObject({ [device_id]: { push_token_id: app.tokenId } })
  })

  test('at the same time leads to one token, whichever is the last', async () => {
    const [user] = await newUsers(product, 1)
    const { device_id } = await user.call(registerClientDevice, {})
    const apps = Array.from({ length: 5 }, () => new PushApp('fcm', keys.publicKey))
    await Promise.all(
      apps.map((app) => user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })),
    )
    const { [device_id]: device } = await devicesOf(user)
    const { push_key_id, push_token_id } = device as { push_key_id: number; push_token_id: string }
    const last = apps.find(({ tokenId }) => tokenId === push_token_id)
    expect(last?.keyId).toBe(push_key_id)
    expect((await user.call(listPushDevices, {})).push_devices).toHaveLength(1)
  })

  test('an app that was installed again has its token moved', async () => {
    const { user, app, device_id } = await newPhone('fcm')
    const { device_id: renewed } = await user.call(registerClientDevice, {})
    app.replaceKey()
    await user.call(registerSealedPush, { device_id: renewed, ...app.keyPart(), ...app.tokenPart() })
    expect(await devicesOf(user)).toMatchObject({
      [device_id]: { push_token_id: null },
      [renewed]: { push_token_id: app.tokenId },
    })
  })
})

describe.concurrent('clients', () => {
  test('are removed by themselves, with their tokens', async () => {
    const { user, device_id } = await newPhone('fcm')
    const watcher = await followDevices(user)
    expect(await user.send(removeClientDevice, { device_id })).toMatchObject(success())
    expect(await user.send(removeClientDevice, { device_id })).toMatchObject(refusal('BAD_REQUEST'))
    expect(await watcher.next(1)).toMatchObject([{ type: 'device', op: 'remove', device_id }])
    expect(await user.call(listPushDevices, {})).toMatchObject({ push_devices: [] })
    await untilKnown(user, false)
  })

  test('lose their token when it is removed from the list of devices', async () => {
    const { user, device_id } = await newPhone('apns')
    const watcher = await followDevices(user)
    const [device] = (await user.call(listPushDevices, {})).push_devices
    expect(device).toMatchObject({ service: 'apns', is_encrypted: true, name: 'org.example.Sealed' })
    await user.call(removePushDevice, { device_id: device?.id ?? 0 })
    expect(await watcher.next(1)).toMatchObject([{ op: 'update', device_id, push_token_id: null }])
    expect(await devicesOf(user)).toMatchObject({ [device_id]: { push_token_id: null } })
  })

  test('end with the key of the account, and with the account', async () => {
    const { user, app } = await newPhone('fcm')
    const { api_key: apiKey } = await user.call(regenerateApiKey, {})
    const renewed = new ApiClient(product.baseUrl, { userId: user.userId, email: user.email, apiKey })
    expect(await devicesOf(renewed)).toEqual({})
    const { device_id } = await renewed.call(registerClientDevice, {})
    await renewed.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
    await product.owner.call(deactivateUser, { user_id: user.userId })
    await product.owner.call(reactivateUser, { user_id: user.userId })
    expect(await devicesOf(renewed)).toEqual({})
    expect(await renewed.call(listPushDevices, {})).toMatchObject({ push_devices: [] })
  })

  test('are limited in number; a new one replaces the oldest', async () => {
    const { user, device_id } = await newPhone('fcm')
    for (let count = 0; count < limits.maxClientDevices; count++) await user.call(registerClientDevice, {})
    const devices = await devicesOf(user)
    expect(Object.keys(devices)).toHaveLength(limits.maxClientDevices)
    expect(devices).not.toHaveProperty(String(device_id))
    await untilKnown(user, false)
  })
})

test('an organization that requires encryption shows other apps no content', async () => {
  const { user, app } = await newPhone('fcm')
  const plain = new PushApp('fcm', keys.publicKey)
  const apple = new PushApp('apns', keys.publicKey)
  await user.call(addAndroidDevice, { token: plain.token })
  await user.call(addApnsDevice, { token: apple.token, appid: 'org.example.App' })
  const requireEncryption = (isRequired: boolean) =>
    product.owner.call(updateRealm, { require_e2ee_push_notifications: isRequired })
  const { full_name } = (await product.owner.call(endpoints.users.getOwnUser, {})) as { full_name: string }

  await requireEncryption(true)
  await sendDirectly(product.owner, [user], 'confidential')
  const [sealed] = await fcm.waitFor(app.token, 1)
  expect(app.decrypt(sealed)).toMatchObject({ content: 'confidential', sender_full_name: full_name })
  const [shown] = await fcm.waitFor(plain.token, 1)
  expect(shown?.body).toMatchObject({ data: { event: 'message', content: 'New message' } })
  const [alert] = await apns.waitFor(apple.token, 1)
  expect(alert?.body).toMatchObject({ aps: { alert: { title: 'New message', body: '' } } })
  for (const push of [shown, alert])
    for (const hidden of ['confidential', full_name, product.owner.email])
      expect(JSON.stringify(push?.body)).not.toContain(hidden)

  await requireEncryption(false)
  await sendDirectly(product.owner, [user], 'for all to see')
  expect((await fcm.waitFor(plain.token, 2))[1]?.body).toMatchObject({ data: { content: 'for all to see' } })
})

domainEventTests(() => product, 'encrypted push')
