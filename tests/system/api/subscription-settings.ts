import { endpoints, type SubscriptionSettings } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newChannelName, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { listSubscriptions, subscribe, unsubscribe, updateSubscriptions, updateSubscriptionSettings } =
  endpoints.messaging
const { register } = endpoints.events

type SettingName = keyof SubscriptionSettings

export const subscriptionSettingsTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let watchers: Watcher[]
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    watchers = [await watch(ann), await watch(ben)]
  })
  afterAll(() => stopWatching(watchers))

  const eventsDuring = async (act: () => Promise<unknown>) => {
    const [anns = [], bens = []] = await eventsOf(system(), watchers, act)
    return { ann: anns, ben: bens }
  }
  const settingsOf = async (client: ApiClient, channelId: number) => {
    const { subscriptions } = await client.call(listSubscriptions, {})
    return subscriptions.find(({ stream_id }) => stream_id === channelId)
  }
  const namesOf = async (client: ApiClient) =>
    (await client.call(listSubscriptions, {})).subscriptions.map(({ name }) => name)

  describe('POST /users/me/subscriptions/properties', () => {
    const set = (stream_id: number, ...changes: [SettingName, boolean | string][]) =>
      ann.send(updateSubscriptionSettings, {
        subscription_data: changes.map(([property, value]) => ({ stream_id, property, value })),
      })

    test.each<[SettingName, boolean | string]>([
      ['color', '#a1b2c3'],
      ['pin_to_top', true],
      ['desktop_notifications', true],
      ['audible_notifications', false],
      ['push_notifications', true],
      ['email_notifications', false],
      ['wildcard_mentions_notify', false],
    ])('sets %s to %j for the caller only', async (property, value) => {
      const { id } = await newChannel(ann, { others: [ben] })
      const bens = await settingsOf(ben, id)

      const events = await eventsDuring(() => set(id, [property, value]))

      expect(events.ann).toMatchObject([
        { type: 'subscription', op: 'update', stream_id: id, property, value },
      ])
      expect(events.ben).toEqual([])
      expect(await settingsOf(ann, id)).toMatchObject({ [property]: value })
      expect(await settingsOf(ben, id)).toEqual(bens)
    })

    test.each([
      ['#abc', '#aabbcc'],
      ['#ABCDEF', '#abcdef'],
    ])('stores and delivers the colour %s as %s, which every client parses', async (value, color) => {
      const { id } = await newChannel(ann)

      const events = await eventsDuring(() => set(id, ['color', value]))

      expect(events.ann).toMatchObject([{ op: 'update', stream_id: id, property: 'color', value: color }])
      expect(await settingsOf(ann, id)).toMatchObject({ color })
    })

    test('stores the colour of a new subscription in the same way', async () => {
      const name = newChannelName()
      const subscriptions = [{ name, color: '#DEF' }]

      const events = await eventsDuring(() => ann.call(subscribe, { subscriptions }))

      const added = events.ann.find(({ type, op }) => type === 'subscription' && op === 'add')
      expect(added).toMatchObject({ subscriptions: [{ name, color: '#ddeeff' }] })
    })

    test.each<[SettingName, boolean, boolean]>([
      ['is_muted', true, true],
      ['is_muted', false, false],
      ['in_home_view', false, true],
      ['in_home_view', true, false],
    ])('%s %j is delivered under both names, the legacy one first', async (property, value, isMuted) => {
      const { id } = await newChannel(ann)

      const events = await eventsDuring(() => set(id, [property, value]))

      const update = { type: 'subscription', op: 'update', stream_id: id }
      expect(events.ann).toMatchObject([
        { ...update, property: 'in_home_view', value: !isMuted },
        { ...update, property: 'is_muted', value: isMuted },
      ])
      expect(await settingsOf(ann, id)).toMatchObject({ is_muted: isMuted, in_home_view: !isMuted })
    })

    test('excludes a muted channel from the unread count', async () => {
      const { name, id } = await newChannel(ann)
      const countOf = async () => {
        const state = await ann.call(register, { fetch_event_types: ['message', 'update_message_flags'] })
        return (state['unread_msgs'] as { count: number }).count
      }
      const before = await countOf()
      await ben.call(subscribe, { subscriptions: [{ name }] })
      await sendToChannel(ben, name)

      expect(await countOf()).toBe(before + 1)
      await set(id, ['is_muted', true])
      expect(await countOf()).toBe(before)
    })

    test('keeps settings after unsubscribing', async () => {
      const { name, id } = await newChannel(ann, { others: [ben] })
      await set(id, ['is_muted', true], ['pin_to_top', true])
      await ann.call(unsubscribe, { subscriptions: [name] })
      await ann.call(subscribe, { subscriptions: [{ name }] })

      expect(await settingsOf(ann, id)).toMatchObject({ is_muted: true, pin_to_top: true })
    })

    test('applies the changes before an invalid one', async () => {
      const { id } = await newChannel(ann)

      const answer = await set(id, ['pin_to_top', true], ['is_muted', 'very'], ['color', '#abc'])

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(await settingsOf(ann, id)).toMatchObject({
        pin_to_top: true,
        color: expect.not.stringMatching('#abc$'),
      })
    })

    test.each<[SettingName, boolean | string]>([
      ['color', 'red'],
      ['color', '#abcd'],
      ['color', '#12345'],
      ['color', true],
      ['is_muted', 'yes'],
    ])('rejects %s %j', async (property, value) => {
      const { id } = await newChannel(ann)
      expect(await set(id, [property, value])).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each(['role', 'is_active', '__proto__', ''])('names the unknown property %j', async (property) => {
      const { id } = await newChannel(ann)
      const changes = [
        { stream_id: id, property: 'pin_to_top', value: true },
        { stream_id: id, property, value: 5 },
      ]

      const answer = await ann.request('POST', '/users/me/subscriptions/properties', [
        ['subscription_data', JSON.stringify(changes)],
      ])

      expect(answer).toMatchObject(
        refusal('BAD_REQUEST', {
          msg: expect.stringMatching(/^subscription_data\[1\]\["property"\].*pin_to_top.*is_muted/),
        }),
      )
      expect(await settingsOf(ann, id)).toMatchObject({ pin_to_top: false })
    })

    test('rejects a channel without subscription, and null', async () => {
      const { id } = await newChannel(ben)
      const nothing = JSON.stringify([{ stream_id: id, property: 'push_notifications', value: null }])

      expect(await set(id, ['is_muted', true])).toMatchObject(refusal('BAD_REQUEST'))
      expect(await set(999_999, ['is_muted', true])).toMatchObject(refusal('BAD_REQUEST'))
      expect(
        await ben.request('POST', '/users/me/subscriptions/properties', [['subscription_data', nothing]]),
      ).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('PATCH /users/me/subscriptions/{stream_id}', () => {
    const set = (stream_id: number, property: string, value: string) =>
      ann.request('PATCH', `/users/me/subscriptions/${stream_id}`, [
        ['property', property],
        ['value', value],
      ])

    test('changes one setting and delivers it', async () => {
      const { id } = await newChannel(ann)

      const events = await eventsDuring(async () => {
        expect(await set(id, 'color', '#a1b2c3')).toMatchObject(success())
        expect(await set(id, 'pin_to_top', 'true')).toMatchObject(success())
      })

      expect(await settingsOf(ann, id)).toMatchObject({ color: '#a1b2c3', pin_to_top: true })
      expect(events.ann).toContainEqual(
        expect.objectContaining({ type: 'subscription', op: 'update', property: 'color', value: '#a1b2c3' }),
      )
      expect(events.ben).toEqual([])
    })

    test('rejects an unknown setting, an invalid value, and a channel without subscription', async () => {
      const [own, other] = [await newChannel(ann), await newChannel(ben)]

      expect(await set(own.id, 'name', 'x')).toMatchObject(refusal('BAD_REQUEST'))
      expect(await set(own.id, 'pin_to_top', 'yes')).toMatchObject(refusal('BAD_REQUEST'))
      expect(await set(other.id, 'pin_to_top', 'true')).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('PATCH /users/me/subscriptions', () => {
    test('subscribes and unsubscribes in one request', async () => {
      const [old, open, created] = [await newChannel(ann), await newChannel(ben), newChannelName()]

      const answer = await ann.send(updateSubscriptions, {
        add: [{ name: open.name }, { name: created }],
        delete: [old.name],
      })

      expect(answer).toMatchObject(
        success({
          subscribed: { [ann.userId]: [open.name, created] },
          already_subscribed: {},
          removed: [old.name],
          not_removed: [],
        }),
      )
      const names = await namesOf(ann)
      expect(names).toEqual(expect.arrayContaining([open.name, created]))
      expect(names).not.toContain(old.name)
    })

    test('changes nothing if a part of it is rejected', async () => {
      const { name } = await newChannel(ben)

      const answer = await ann.send(updateSubscriptions, { add: [{ name }], delete: ['no such channel'] })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(await namesOf(ann)).not.toContain(name)
    })

    test('rejects an empty request', async () => {
      expect(await ann.send(updateSubscriptions, {})).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(updateSubscriptions, { add: [], delete: [] })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('subscribing others', () => {
    test('sends them a notice from the organization, one for all existing channels', async () => {
      const [one, two] = [await newChannel(ann), await newChannel(ann)]
      const names = [one.name, two.name, newChannelName()]

      const events = await eventsDuring(() =>
        ann.call(subscribe, {
          subscriptions: names.map((name) => ({ name })),
          principals: [ann.userId, ben.userId],
        }),
      )

      const direct = events.ben.filter(
        (event) => event.type === 'message' && (event['message'] as { type: string }).type === 'private',
      )
      expect(direct).toHaveLength(1)
      expect(direct).toMatchObject([{ flags: [] }])
      const content = JSON.stringify(direct)
      expect(content).toContain(one.name)
      expect(content).toContain(two.name)
      expect(content).not.toContain(String(names[2]))
      expect(
        events.ann.filter((event) => (event['message'] as { type?: string })?.type === 'private'),
      ).toEqual([])
    })
  })
}
