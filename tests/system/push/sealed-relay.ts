import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newSealKeys, PushApp } from '../support/push-app.ts'
import type { startPushRelayService } from '../support/push-relay-service.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { watch } from '../support/watch.ts'

const { addAndroidDevice, addApnsDevice, listPushDevices, regenerateApiKey } = endpoints.users
const { registerClientDevice, registerSealedPush, removeClientDevice, testSealedPush } = endpoints.users
const { updateMessageFlags } = endpoints.messaging

interface SealedRelaySystem {
  readonly product: TestSystem
  readonly service: Awaited<ReturnType<typeof startPushRelayService>>
  untilKnown(user: ApiClient, has: boolean): Promise<void>
}

/** Encrypted notifications by a push relay service, which has the tokens of clients and can't read what it hands on. */
export const sealedRelayTests = (system: () => SealedRelaySystem): void => {
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

  const devicesOf = async (user: ApiClient): Promise<Record<string, unknown>> =>
    (await user.call(endpoints.events.register, { fetch_event_types: ['device'] }))['devices'] as Record<
      string,
      unknown
    >

  /** A user whose app is registered at the service. */
  async function newPhone(kind: 'fcm' | 'apns') {
    const { product, service, untilKnown } = system()
    const [user] = await newUsers(product, 1)
    const app = new PushApp(kind, service.publicKey)
    const { device_id } = await user.call(registerClientDevice, {})
    await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
    await untilKnown(user, true)
    return { user, app, device_id }
  }

  describe('a client for which notifications are encrypted', () => {
    test('of Android decrypts what the service hands on', async () => {
      const { product, service } = system()
      const { user, app } = await newPhone('fcm')
      const channel = await newChannel(product.owner, { others: [user] })
      const id = await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
      const [push] = await service.waitForSealed(app.tokenId, 1)
      expect(push).toMatchObject({ kind: 'fcm', headers: { priority: 'high' } })
      expect(app.decrypt(push)).toMatchObject({
        ...{ type: 'message', message_id: id, content: expect.stringContaining(' look'), topic: 'plans' },
      })
      await user.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
      const removal = (await service.waitForSealed(app.tokenId, 2))[1]
      expect(removal).toMatchObject({ headers: { priority: 'normal' } })
      expect(app.decrypt(removal)).toMatchObject({ type: 'remove', message_ids: [id] })
    })

    test('of Apple decrypts what the service hands on, and tests', async () => {
      const { product, service } = system()
      const { user, app } = await newPhone('apns')
      await sendDirectly(product.owner, [user], 'one')
      const [push] = await service.waitForSealed(app.tokenId, 1)
      expect(push).toMatchObject({ appId: 'org.example.Sealed', headers: { apns_push_type: 'alert' } })
      expect(push?.body).toMatchObject({
        aps: { alert: { title: 'New notification' }, 'mutable-content': 1 },
      })
      expect(app.decrypt(push)).toMatchObject({ type: 'message', content: 'one' })
      expect(await user.send(testSealedPush, {})).toMatchObject(success())
      expect(app.decrypt((await service.waitForSealed(app.tokenId, 2))[1])).toMatchObject({ type: 'test' })
      expect(await user.call(listPushDevices, {})).toMatchObject({
        push_devices: [{ service: 'apns', is_encrypted: true, token_end: '' }],
      })
    })

    test('learns each step, also if the service fails meanwhile', async () => {
      const { product, service } = system()
      const [user] = await newUsers(product, 1)
      const watcher = await followDevices(user)
      const app = new PushApp('fcm', service.publicKey)
      service.answerNext('push/e2ee/register', { status: 502 })
      const { device_id } = await user.call(registerClientDevice, {})
      await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
      expect(await devicesOf(user)).toMatchObject({
        [device_id]: { pending_push_token_id: app.tokenId, push_token_id: null },
      })
      expect(await user.send(registerSealedPush, { device_id, ...app.keyPart() })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await watcher.next(3)).toMatchObject([
        { op: 'add', device_id },
        { op: 'update', device_id, pending_push_token_id: app.tokenId },
        { op: 'update', device_id, pending_push_token_id: null, push_token_id: app.tokenId },
      ])
      app.replaceKey()
      await user.call(registerSealedPush, { device_id, ...app.keyPart() })
      app.replaceToken()
      await user.call(registerSealedPush, { device_id, ...app.tokenPart() })
      expect((await watcher.next(6)).slice(3)).toMatchObject([
        { push_key_id: app.keyId },
        { pending_push_token_id: app.tokenId },
        { push_token_id: app.tokenId, push_key_id: app.keyId },
      ])
      await sendDirectly(product.owner, [user], 'renewed')
      expect(app.decrypt((await service.waitForSealed(app.tokenId, 1))[0])).toMatchObject({
        content: 'renewed',
      })
    })

    test('is registered in the end, whatever the service answers before', async () => {
      const { service, untilKnown } = system()
      const [user] = await newUsers(system().product, 1)
      const app = new PushApp('fcm', service.publicKey)
      service.answerNext(
        'push/e2ee/register',
        { status: 401, body: { result: 'error', msg: 'Unknown', code: 'INVALID_ZULIP_SERVER' } },
        { status: 200, text: '<h1>It works</h1>' },
        { status: 500, text: 'null' },
      )
      const { device_id } = await user.call(registerClientDevice, {})
      await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
      await untilKnown(user, true)
      expect(await devicesOf(user)).toEqual({
        [device_id]: expect.objectContaining({
          ...{ push_token_id: app.tokenId, pending_push_token_id: null, push_registration_error_code: null },
        }),
      })
    })

    test('is registered no sooner than the service asks for, also if others register meanwhile', async () => {
      const { service, untilKnown } = system()
      const users = await newUsers(system().product, 2)
      const before = service.callsOf('push/e2ee/register').length
      service.answerNext('push/e2ee/register', { status: 429, headers: { 'retry-after': '3' } })
      for (const [index, user] of users.entries()) {
        const app = new PushApp('fcm', service.publicKey)
        const { device_id } = await user.call(registerClientDevice, {})
        await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
        if (index === 0) await until(async () => service.callsOf('push/e2ee/register').length > before)
      }
      for (const user of users) await untilKnown(user, true)
      const [asked = 0, next = 0] = service.callsOf('push/e2ee/register').slice(before)
      expect(next - asked).toBeGreaterThanOrEqual(3_000)
    })

    test('is asked for once more if it sends another token while the service registers one', async () => {
      const { product, service } = system()
      const [user] = await newUsers(product, 1)
      const watcher = await followDevices(user)
      const app = new PushApp('fcm', service.publicKey)
      const { device_id } = await user.call(registerClientDevice, {})
      const first = app.tokenId
      const held = service.hold('push/e2ee/register')
      await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
      await held.untilWaiting()
      app.replaceToken()
      await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
      held.release()
      expect(await watcher.next(4)).toMatchObject([
        { op: 'add' },
        { pending_push_token_id: first },
        { pending_push_token_id: app.tokenId },
        { push_token_id: app.tokenId, pending_push_token_id: null },
      ])
    })

    test('that is removed while the service registers it stays removed', async () => {
      const { product, service } = system()
      const [user] = await newUsers(product, 1)
      const watcher = await followDevices(user)
      const [app, next] = [new PushApp('fcm', service.publicKey), new PushApp('fcm', service.publicKey)]
      const { device_id } = await user.call(registerClientDevice, {})
      const held = service.hold('push/e2ee/register')
      await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
      await held.untilWaiting()
      await user.call(removeClientDevice, { device_id })
      held.release()
      const later = await user.call(registerClientDevice, {})
      await user.call(registerSealedPush, {
        ...{ device_id: later.device_id, ...next.keyPart(), ...next.tokenPart() },
      })
      expect(await watcher.next(6)).toMatchObject([
        ...[{ op: 'add' }, { op: 'update' }, { op: 'remove', device_id }],
        ...[{ op: 'add' }, { op: 'update' }, { op: 'update', push_token_id: next.tokenId }],
      ])
      expect((await user.call(listPushDevices, {})).push_devices).toHaveLength(1)
    })

    test('that is removed while a notification is under way gets no other', async () => {
      const { product, service, untilKnown } = system()
      const { user, app, device_id } = await newPhone('fcm')
      const held = service.hold('push/e2ee/notify')
      service.answerAfterwards('push/e2ee/notify', { status: 500 })
      await sendDirectly(product.owner, [user], 'the last')
      await held.untilWaiting()
      await user.call(removeClientDevice, { device_id })
      held.release()
      await untilKnown(user, false)
      const { app: other, user: second } = await newPhone('fcm')
      await sendDirectly(product.owner, [user, second], 'to the other')
      await service.waitForSealed(other.tokenId, 1)
      expect(await service.waitForSealed(app.tokenId, 1)).toHaveLength(1)
    })

    test('learns why the service refuses it', async () => {
      const { product, service } = system()
      const [user] = await newUsers(product, 1)
      const { device_id } = await user.call(registerClientDevice, {})
      const watcher = await followDevices(user)
      const app = new PushApp('fcm', service.publicKey)
      const foreign = new PushApp('fcm', newSealKeys().publicKey).tokenPart()
      const cases = [
        [foreign, 'INVALID_BOUNCER_PUBLIC_KEY'],
        [{ ...foreign, bouncer_public_key: service.publicKey }, 'INVALID_ENCRYPTED_PUSH_REGISTRATION'],
        [app.tokenPart({ timestamp: 1_700_000_000 }), 'REQUEST_EXPIRED'],
      ] as const
      for (const [index, [part, code]] of cases.entries()) {
        await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...part })
        expect((await watcher.next(2 * index + 2)).at(-1)).toMatchObject({
          ...{ device_id, pending_push_token_id: null, push_registration_error_code: code },
        })
      }
      expect(await devicesOf(user)).toMatchObject({ [device_id]: { push_token_id: null } })
    })

    test('gets nothing in clear text, whether it registers for that before or later', async () => {
      const { product, service, untilKnown } = system()
      const [user] = await newUsers(product, 1)
      const apps = [new PushApp('fcm', service.publicKey), new PushApp('apns', service.publicKey)] as const
      const addInClear = async () => {
        await user.call(addAndroidDevice, { token: apps[0].token })
        await user.call(addApnsDevice, { token: apps[1].token, appid: 'org.example.Sealed' })
      }
      await addInClear()
      expect([service.find('fcm', apps[0].token), service.find('apns', apps[1].token)]).not.toContain(
        undefined,
      )
      for (const app of apps) {
        const { device_id } = await user.call(registerClientDevice, {})
        await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
        await until(async () => service.knowsClient(app.tokenId))
      }
      const isKnownInClear = () =>
        service.find('fcm', apps[0].token) !== undefined || service.find('apns', apps[1].token) !== undefined
      await until(async () => !isKnownInClear())
      await addInClear()
      expect(isKnownInClear()).toBe(false)
      expect((await user.call(listPushDevices, {})).push_devices).toHaveLength(2)
      await untilKnown(user, true)
      await sendDirectly(product.owner, [user], 'secret')
      for (const app of apps)
        expect(app.decrypt((await service.waitForSealed(app.tokenId, 1))[0])).toMatchObject({
          content: 'secret',
        })
      await user.call(regenerateApiKey, {})
    })

    test('that the service has lost learns it, and registers again', async () => {
      const { product, service, untilKnown } = system()
      const { user, app, device_id } = await newPhone('fcm')
      service.forgetClient(app.tokenId)
      await sendDirectly(product.owner, [user], 'lost')
      await untilKnown(user, false)
      expect(await devicesOf(user)).toMatchObject({ [device_id]: { push_token_id: null, push_key_id: null } })
      await user.call(registerSealedPush, { device_id, ...app.keyPart(), ...app.tokenPart() })
      await untilKnown(user, true)
    })
  })

  test('notifications of an organization that the service does not know come once it does', async () => {
    const { product, service, untilKnown } = system()
    const { user, app } = await newPhone('fcm')
    const plain = new PushApp('fcm', service.publicKey)
    await user.call(addAndroidDevice, { token: plain.token })
    const [late] = await newUsers(product, 1)
    const lateApp = new PushApp('fcm', service.publicKey)
    const { device_id } = await late.call(registerClientDevice, {})
    service.forgetRealms()
    const reported = service.reports.length
    const unknown = { result: 'error', msg: 'Organization not registered', code: 'MISSING_REMOTE_REALM' }
    for (const path of ['push/register', 'push/e2ee/register', 'push/e2ee/notify', 'push/notify'])
      service.answerNext(path, { status: 400, body: unknown })
    expect(await late.send(addAndroidDevice, { token: 'too-early' })).toMatchObject(refusal('BAD_REQUEST'))
    await until(async () => service.reports.length > reported)
    await late.call(registerSealedPush, { device_id, ...lateApp.keyPart(), ...lateApp.tokenPart() })
    await sendDirectly(product.owner, [user], 'early')
    expect(app.decrypt((await service.waitForSealed(app.tokenId, 1))[0])).toMatchObject({ content: 'early' })
    expect((await service.waitFor(user.userId, 1))[0]).toMatchObject({ gcm_payload: { content: 'early' } })
    await untilKnown(late, true)
  })
}
