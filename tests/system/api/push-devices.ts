import { endpoints, limits } from '@tms/contracts'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { beforeEach, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { addAndroidDevice, addApnsDevice, deactivateUser, reactivateUser, regenerateApiKey } = endpoints.users
const { addWebPushSubscription, removeWebPushSubscription } = endpoints.users
const { listPushDevices, removePushDevice } = endpoints.users
const { removeAndroidDevice, removeApnsDevice, testPushNotification } = endpoints.users

/** Each with the endpoint that removes what it registers, and that of the other service. */
const SERVICES = [
  ['Apple', addApnsDevice, removeApnsDevice, removeAndroidDevice],
  ['Android', addAndroidDevice, removeAndroidDevice, removeApnsDevice],
] as const
const token = 'A0B1c2'
/** Of a browser; nothing answers there. */
const subscription = {
  endpoint: 'https://push.example.invalid/x',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

export const pushDeviceTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  beforeEach(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
  })

  test("a user's devices are listed, the newest first, and removed by their IDs", async () => {
    await ann.call(addAndroidDevice, { token: 'android-123456' })
    await ann.call(addApnsDevice, { token, appid: 'org.example.App' })
    const { push_devices: devices } = await ann.call(listPushDevices, {})
    expect(devices).toEqual([
      {
        ...{ id: expect.any(Number), service: 'apns', name: 'org.example.App', token_end: 'A0B1c2' },
        is_encrypted: false,
        registered_at: expect.any(Number),
      },
      expect.objectContaining({ service: 'fcm', name: '', token_end: '123456' }),
    ])
    const device_id = devices[0]?.id ?? 0
    expect(await ben.send(removePushDevice, { device_id })).toMatchObject(refusal('BAD_REQUEST', {}, 404))
    expect(await ann.send(removePushDevice, { device_id })).toMatchObject(success())
    expect(await ann.send(removePushDevice, { device_id })).toMatchObject(refusal('BAD_REQUEST', {}, 404))
    expect(await ann.send(removeApnsDevice, { token })).toMatchObject(refusal('BAD_REQUEST'))
    expect(await ann.call(listPushDevices, {})).toMatchObject({ push_devices: [{ service: 'fcm' }] })
  })

  describe.each(SERVICES)('mobile devices of %s', (_, add, remove, removeOther) => {
    test('are added, twice without an error, and removed once', async () => {
      for (let turn = 0; turn < 2; turn++) expect(await ann.send(add, { token })).toMatchObject(success())

      expect(await ann.send(remove, { token })).toMatchObject(success())
      expect(await ann.send(remove, { token })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('belong to one user and one service', async () => {
      await Promise.all([ann, ben].map((client) => client.call(add, { token })))

      expect(await ann.send(removeOther, { token })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(remove, { token })).toMatchObject(success())
      expect(await ben.send(remove, { token })).toMatchObject(success())
    })

    test('added several times at once are one', async () => {
      await Promise.all(Array.from({ length: 5 }, () => ann.call(add, { token })))

      expect(await ann.send(remove, { token })).toMatchObject(success())
      expect(await ann.send(remove, { token })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('accept long tokens, and reject empty and longer ones', async () => {
      const longest = 'ж'.repeat(limits.maxPushTokenLength)

      expect(await ann.send(add, { token: longest })).toMatchObject(success())
      expect(await ann.send(add, { token: `${longest}x` })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(add, { token: '' })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(remove, { token: longest })).toMatchObject(success())
    })

    test('reject bots', async () => {
      const bot = await newBotOf(ann)

      expect(await bot.send(add, { token })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('browsers', () => {
    test('are added, twice without an error, tested, and removed once', async () => {
      const { endpoint, ...keys } = subscription
      for (let turn = 0; turn < 2; turn++)
        expect(await ann.send(addWebPushSubscription, { endpoint, ...keys })).toMatchObject(success())
      expect(await ann.send(testPushNotification, { token: endpoint })).toMatchObject(success())

      expect(await ann.send(removeWebPushSubscription, { endpoint })).toMatchObject(success())
      expect(await ann.send(removeWebPushSubscription, { endpoint })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('are not at local or private addresses', async () => {
      for (const endpoint of ['https://localhost/x', 'https://10.1.2.3/x', 'http://push.example.com/x'])
        expect(await ann.send(addWebPushSubscription, { ...subscription, endpoint })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
    })

    test('are removed when the key is replaced', async () => {
      await ann.call(addWebPushSubscription, subscription)
      const { api_key: apiKey } = await ann.call(regenerateApiKey, {})
      const renewed = new ApiClient(system().baseUrl, { userId: ann.userId, email: ann.email, apiKey })

      const { endpoint } = subscription
      expect(await renewed.send(removeWebPushSubscription, { endpoint })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('mobile devices', () => {
    test('are tested one by one or all', async () => {
      await ann.call(addApnsDevice, { token: 'of-ann' })
      await ben.call(addAndroidDevice, { token: 'of-ben' })

      expect(await ann.send(testPushNotification, {})).toMatchObject(success())
      expect(await ann.send(testPushNotification, { token: 'of-ann' })).toMatchObject(success())
      for (const token of ['of-ben', 'of-nobody'])
        expect(await ann.send(testPushNotification, { token })).toMatchObject(
          refusal('INVALID_PUSH_DEVICE_TOKEN'),
        )
      const bot = await newBotOf(ann)
      expect(await bot.send(testPushNotification, {})).toMatchObject(refusal('BAD_REQUEST'))
      await ann.call(removeApnsDevice, { token: 'of-ann' })
      await ben.call(removeAndroidDevice, { token: 'of-ben' })
    })

    test('are tested so many times a minute', async () => {
      for (let turn = 0; turn < limits.maxPushTestsPerMinute; turn++) await ann.call(testPushNotification, {})
      expect(await ann.send(testPushNotification, {})).toMatchObject(refusal('RATE_LIMIT_HIT', {}, 429))
      expect(await ben.send(testPushNotification, {})).toMatchObject(success())
    })

    test('are removed when the key is replaced', async () => {
      for (const [, add] of SERVICES) await ann.call(add, { token })
      const { api_key: apiKey } = await ann.call(regenerateApiKey, {})
      const { userId, email } = ann
      const renewed = new ApiClient(system().baseUrl, { userId, email, apiKey })

      for (const [, , remove] of SERVICES)
        expect(await renewed.send(remove, { token })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('are removed when the account is deactivated, and stay removed', async () => {
      for (const [, add] of SERVICES) await ann.call(add, { token })
      const { owner } = system()
      await owner.call(deactivateUser, { user_id: ann.userId })
      await owner.call(reactivateUser, { user_id: ann.userId })

      for (const [, , remove] of SERVICES)
        expect(await ann.send(remove, { token })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('are limited in number; a new one replaces the oldest', async () => {
      await ann.call(addApnsDevice, { token: 'oldest', appid: 'org.example.App' })
      await ann.call(addApnsDevice, { token: 'renewed' })
      for (let device = 0; device < limits.maxPushDevices - 2; device++)
        await ann.call(addAndroidDevice, { token: `device ${device}` })
      await ann.call(addApnsDevice, { token: 'renewed' })
      await ann.call(addApnsDevice, { token: 'newest' })

      expect(await ann.send(removeApnsDevice, { token: 'oldest' })).toMatchObject(refusal('BAD_REQUEST'))
      for (const kept of ['renewed', 'newest'])
        expect(await ann.send(removeApnsDevice, { token: kept })).toMatchObject(success())
    })
  })
}
