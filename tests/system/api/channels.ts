import { endpoints, Role } from '@tms/contracts'
import { createLog, createPool, publisherOf } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { keepActivityOnce } from '../../../services/messaging/src/channels/recently-active.ts'
import { countTraffic } from '../../../services/messaging/src/channels/weekly-traffic.queries.ts'
import { refusal, success } from '../support/answers.ts'
import { newOrganization } from '../support/other-organization.ts'
import { newChannel, newChannelName, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const {
  getChannel,
  getChannelId,
  getMessage,
  listChannels,
  listSubscriptions,
  listTopics,
  subscribe,
  unsubscribe,
  updateChannel,
  updateSubscriptions,
} = endpoints.messaging
const { updateUser } = endpoints.users

export const channelTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[ann, ben, cem] = (await newUsers(system(), 3)) as [ApiClient, ApiClient, ApiClient]
  })
  const only = ({ userId }: ApiClient) => ({ direct_members: [userId], direct_subgroups: [] })
  const subscriptionOf = async (client: ApiClient, name: string) => {
    const { subscriptions } = await client.call(listSubscriptions, { include_subscribers: true })
    return subscriptions.find((subscription) => subscription.name === name)
  }

  describe('POST /users/me/subscriptions', () => {
    test('creates a channel that is missing and subscribes to it', async () => {
      const name = newChannelName()
      const description = 'About *tests*\nand more'

      const answer = await ann.send(subscribe, { subscriptions: [{ name, description, color: '#abc' }] })

      expect(answer).toMatchObject(success({ subscribed: { [ann.userId]: [name] }, already_subscribed: {} }))
      expect(await subscriptionOf(ann, name)).toMatchObject({
        name,
        description: 'About *tests* and more',
        rendered_description: expect.stringContaining('<em>tests</em>'),
        creator_id: ann.userId,
        color: '#aabbcc',
        subscribers: [ann.userId],
        invite_only: false,
        is_web_public: false,
        history_public_to_subscribers: true,
        stream_post_policy: 1,
        is_announcement_only: false,
        message_retention_days: null,
        stream_weekly_traffic: null,
        is_recently_active: true,
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
        desktop_notifications: null,
        wildcard_mentions_notify: null,
      })
    })

    test('finds an existing channel regardless of case, and keeps its settings', async () => {
      const { name, id } = await newChannel(ann)

      const answer = await ben.send(subscribe, {
        subscriptions: [{ name: name.toUpperCase(), description: 'other' }],
        stream_post_policy: 2,
      })

      expect(answer).toMatchObject(success({ subscribed: { [ben.userId]: [name] } }))
      const { stream } = await ben.call(getChannel, { stream_id: id })
      expect(stream).toMatchObject({ name, description: '', stream_post_policy: 1 })
    })

    test('lists users who were already subscribed', async () => {
      const { name } = await newChannel(ann)

      const answer = await ann.send(subscribe, {
        subscriptions: [{ name }],
        principals: [ann.email, ben.email],
      })

      expect(answer).toMatchObject(
        success({ subscribed: { [ben.userId]: [name] }, already_subscribed: { [ann.userId]: [name] } }),
      )
    })

    test('gives each new subscription a distinct colour', async () => {
      const names = [newChannelName(), newChannelName(), newChannelName()]
      await ben.call(subscribe, { subscriptions: names.map((name) => ({ name })) })

      const colors = await Promise.all(names.map(async (name) => (await subscriptionOf(ben, name))?.color))

      expect(new Set(colors).size).toBe(3)
      for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/)
    })

    test('keeps the colour after leaving and coming back', async () => {
      const name = newChannelName()
      await ann.call(subscribe, { subscriptions: [{ name, color: '#123456' }] })
      await ann.call(unsubscribe, { subscriptions: [name] })
      await ann.call(subscribe, { subscriptions: [{ name }] })

      expect(await subscriptionOf(ann, name)).toMatchObject({ color: '#123456' })
    })

    test('does nothing for an empty list', async () => {
      expect(await ann.send(subscribe, { subscriptions: [] })).toMatchObject(
        success({ subscribed: {}, already_subscribed: {} }),
      )
    })

    test('creates a hundred channels at once and, for members, five hundred a day', async () => {
      const { owner: chief, createUser } = await newOrganization(system())
      const dan = await createUser()
      let made = 0
      const namesOf = (count: number) => Array.from({ length: count }, () => ({ name: `made ${++made}` }))
      const create = (count: number) => dan.send(subscribe, { subscriptions: namesOf(count) })

      expect(await create(101)).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'Too many new channels (limit: 100).' }),
      )
      const first = namesOf(100)
      expect(await dan.send(subscribe, { subscriptions: first })).toMatchObject(success())
      expect(await dan.send(subscribe, { subscriptions: [...first, ...namesOf(100)] })).toMatchObject(
        success(),
      )
      for (let turn = 0; turn < 2; turn++) expect(await create(100)).toMatchObject(success())
      const atOnce = await Promise.all([create(100), create(100)])

      expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(1)
      const tooMany = refusal('BAD_REQUEST', { msg: 'You can create at most 500 channels in a day.' })
      expect(await create(1)).toMatchObject(tooMany)
      expect(await dan.send(updateSubscriptions, { add: namesOf(1) })).toMatchObject(tooMany)
      const { subscriptions } = await dan.call(listSubscriptions, {})
      expect(subscriptions.filter(({ name }) => name.startsWith('made '))).toHaveLength(500)
      await chief.call(updateUser, { user_id: dan.userId, role: Role.administrator })
      expect(await create(1)).toMatchObject(success())
    })

    test.each<[string, object]>([
      ['a blank name', { subscriptions: [{ name: ' ' }] }],
      ['a name of 61 characters', { subscriptions: [{ name: 'x'.repeat(61) }] }],
      ['a name with a control character', { subscriptions: [{ name: 'a\u0007' }] }],
      ['a description of 1025 characters', { subscriptions: [{ name: 'd', description: 'x'.repeat(1025) }] }],
      ['a colour that is none', { subscriptions: [{ name: 'd', color: 'red' }] }],
      ['names without their object', { subscriptions: ['d'] }],
      ['an unknown principal', { subscriptions: [{ name: 'd' }], principals: [999_999] }],
      ['IDs among addresses', { subscriptions: [{ name: 'd' }], principals: [1, 'a@example.com'] }],
      ['a post policy that is none', { subscriptions: [{ name: 'd' }], stream_post_policy: 5 }],
      ['private and web-public', { subscriptions: [{ name: 'd' }], invite_only: true, is_web_public: true }],
      [
        'a public channel with protected history',
        { subscriptions: [{ name: 'd' }], history_public_to_subscribers: false },
      ],
      [
        'a default channel that is private',
        { subscriptions: [{ name: 'd' }], invite_only: true, is_default_stream: true },
      ],
      [
        'a group that nobody knows',
        { subscriptions: [{ name: 'd' }], can_remove_subscribers_group: 999_999 },
      ],
      [
        'two names of one permission',
        { subscriptions: [{ name: 'd' }], stream_post_policy: 1, can_send_message_group: 6 },
      ],
    ])('rejects %s', async (_, fields) => {
      const answer = await owner.request('POST', '/users/me/subscriptions', formOf(fields))

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(await owner.send(getChannelId, { stream: 'd' })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('accepts a valid retention, from owners only', async () => {
      const kept = { subscriptions: [{ name: newChannelName() }], message_retention_days: 30 }
      const senseless = { subscriptions: [{ name: newChannelName() }], message_retention_days: 0 }

      expect(await ann.send(subscribe, kept)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      expect(await owner.send(subscribe, senseless)).toMatchObject(
        refusal('REQUEST_VARIABLE_INVALID', { var_name: 'message_retention_days', bad_value: '0' }),
      )
      expect(await owner.send(subscribe, kept)).toMatchObject(success())
    })
  })

  describe('a private channel', () => {
    test('admits only users added by a subscriber', async () => {
      const { name } = await newChannel(ann, { isPrivate: true })

      expect(await ben.send(subscribe, { subscriptions: [{ name }] })).toMatchObject(refusal('BAD_REQUEST'))
      await ann.call(subscribe, { subscriptions: [{ name }], principals: [ben.userId] })
      expect(await subscriptionOf(ben, name)).toMatchObject({
        invite_only: true,
        history_public_to_subscribers: false,
        subscribers: [ann.userId, ben.userId],
      })
    })

    test('does not affect the other channels of the same request', async () => {
      const { name } = await newChannel(ann, { isPrivate: true })
      const open = await newChannel(ann)

      const answer = await ben.send(subscribe, {
        subscriptions: [{ name }, { name: open.name }],
        authorization_errors_fatal: false,
      })

      expect(answer).toMatchObject(
        success({ subscribed: { [ben.userId]: [open.name] }, unauthorized: [name] }),
      )
    })

    test('is invisible to members, while administrators see it without its messages', async () => {
      const { name, id } = await newChannel(ann, { isPrivate: true })
      await sendToChannel(ann, name)

      expect(await ben.send(getChannelId, { stream: name })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(getChannel, { stream_id: id })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(listTopics, { stream_id: id })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await owner.send(getChannel, { stream_id: id })).toMatchObject(success())
      expect(await owner.send(listTopics, { stream_id: id })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await owner.send(subscribe, { subscriptions: [{ name }] })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('stays when its last subscriber leaves, with its name, for those who may join it', async () => {
      const { name, id } = await newChannel(ann, { isPrivate: true })
      await ann.call(updateChannel, { stream_id: id, can_subscribe_group: only(ben) })
      await ann.call(unsubscribe, { subscriptions: [name] })

      const subscriptions = [{ name }]
      for (const client of [ann, cem])
        expect(await client.send(subscribe, { subscriptions })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await owner.send(getChannel, { stream_id: id })).toMatchObject(success())
      expect(await ben.send(subscribe, { subscriptions })).toMatchObject(
        success({ subscribed: { [ben.userId]: [name] } }),
      )
      expect(await ben.call(getChannelId, { stream: name })).toMatchObject({ stream_id: id })
    })
  })

  describe('a channel', () => {
    test('is recently active until there were no messages for 180 days, and again after the next one', async () => {
      const log = createLog('test', 'silent')
      const db = createPool(system().system.databaseUrls.messaging, 1, log)
      const busy = await newChannel(ann)
      const quiet = await newChannel(ann)
      const watcher = await watch(ben, { event_types: ['stream', 'message'] })
      const activityOf = async ({ id }: { id: number }) =>
        (await ben.call(getChannel, { stream_id: id })).stream.is_recently_active
      /** As the daily job, which several replicas may run. */
      const keepActivity = async () => {
        const context = { db, publish: publisherOf('messaging'), now: () => new Date() }
        const lists = await eventsOf(system(), [watcher], () => keepActivityOnce(context))
        return lists.flat().filter(({ type }) => type === 'stream')
      }
      const changed = (value: boolean) => [
        { type: 'stream', op: 'update', stream_id: quiet.id, property: 'is_recently_active', value },
      ]

      try {
        expect(await keepActivity()).toEqual([])
        // Both are old now, and what was sent to one is too, with a higher ID: imports keep IDs.
        await db.query(
          `update channels set created_at = created_at - interval '181 days' where id = any ($1)`,
          [[quiet.id, busy.id]],
        )
        const addDays = (days: number) =>
          db.query(`update messages set sent_at = sent_at + $2::int * interval '1 day' where id = $1`, [
            ...[quiet.noticeId, days],
          ])
        await addDays(-181)
        expect(await keepActivity()).toMatchObject(changed(false))
        expect([await activityOf(quiet), await activityOf(busy)]).toEqual([false, true])
        expect(await keepActivity()).toEqual([])

        await addDays(181)
        expect(await keepActivity()).toMatchObject(changed(true))
        expect(await activityOf(quiet)).toBe(true)
      } finally {
        await stopWatching([watcher])
        await db.end()
      }
    })
  })

  test('the weekly traffic of a channel counts its messages of four weeks, whatever IDs others have', async () => {
    const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
    const busy = await newChannel(ann)
    const send = () => sendToChannel(ann, busy.name)
    const imported = [await send(), await send(), await send(), await send()]
    const recent = await Promise.all(Array.from({ length: 7 }, send))
    // Imports keep IDs, which may be higher than those of newer messages elsewhere.
    const quiet = await newChannel(ann)
    try {
      await db.query(`update channels set created_at = created_at - interval '20 days' where id = any ($1)`, [
        [busy.id, quiet.id],
      ])
      await db.query(`update messages set sent_at = sent_at - interval '40 days' where id = any ($1)`, [
        [busy.noticeId, quiet.noticeId, ...imported],
      ])
      await countTraffic(db, new Date(Date.now() - 28 * 86_400_000), 28)
    } finally {
      await db.end()
    }
    const trafficOf = async ({ id }: { id: number }) =>
      (await ben.call(getChannel, { stream_id: id })).stream.stream_weekly_traffic

    expect(recent).toHaveLength(7)
    expect([await trafficOf(busy), await trafficOf(quiet)]).toEqual([2, 0])
  })

  describe('DELETE /users/me/subscriptions', () => {
    test('lists the channels that were left and those that were not subscribed', async () => {
      const { name } = await newChannel(ann)
      const other = await newChannel(ben)

      const answer = await ann.send(unsubscribe, { subscriptions: [name.toUpperCase(), other.name] })

      expect(answer).toMatchObject(success({ removed: [name], not_removed: [other.name] }))
      expect(await subscriptionOf(ann, name)).toBeUndefined()
    })

    test('also reads its parameters from the query', async () => {
      const { name } = await newChannel(ann)
      const query = new URLSearchParams({ subscriptions: JSON.stringify([name]) })

      const answer = await ann.request('DELETE', `/users/me/subscriptions?${query}`)

      expect(answer).toMatchObject(success({ removed: [name] }))
    })

    test('lets administrators remove others, but not members', async () => {
      const { name } = await newChannel(owner, { others: [ann, ben] })
      const removal = { subscriptions: [name], principals: [ben.email] }

      expect(await ann.send(unsubscribe, removal)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await owner.send(unsubscribe, removal)).toMatchObject(success({ removed: [name] }))
      expect(await owner.send(unsubscribe, removal)).toMatchObject(
        success({ removed: [], not_removed: [name] }),
      )
    })

    test('rejects a channel that does not exist', async () => {
      expect(await ann.send(unsubscribe, { subscriptions: ['no such channel'] })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('GET /users/me/subscriptions', () => {
    test('includes subscribers only on request', async () => {
      const { name } = await newChannel(ann, { others: [ben] })
      const { subscriptions } = await ann.call(listSubscriptions, {})

      const subscription = subscriptions.find((one) => one.name === name)

      expect(subscription).toBeDefined()
      expect(subscription).not.toHaveProperty('subscribers')
      expect((await subscriptionOf(ann, name))?.subscribers).toEqual([ann.userId, ben.userId])
    })

    test('lists the default channels of a new user', async () => {
      const { subscriptions } = await ben.call(listSubscriptions, {})

      const names = subscriptions.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['general', 'random', 'announcements']))
    })
  })

  describe('GET /streams', () => {
    const namesOf = async (
      client: ApiClient,
      input: Parameters<typeof client.call<typeof listChannels>>[1],
    ) => (await client.call(listChannels, input)).streams.map(({ name }) => name)

    test('lists the channels that the caller can see, by name', async () => {
      const open = await newChannel(ann)
      const hidden = await newChannel(ann, { isPrivate: true })

      const bens = await namesOf(ben, {})

      expect(bens).toEqual(expect.arrayContaining([open.name, 'general']))
      expect(bens).not.toContain(hidden.name)
      expect(await namesOf(ann, {})).toContain(hidden.name)
      expect(await namesOf(owner, {})).not.toContain(hidden.name)
      expect(await namesOf(owner, { include_all_active: true })).toContain(hidden.name)
    })

    test('applies the filters', async () => {
      const { name } = await newChannel(ann)
      const { streams } = await owner.call(listChannels, { include_default: true })

      expect(await namesOf(ben, { include_public: false })).not.toContain(name)
      expect(await namesOf(ann, { include_public: false })).toContain(name)
      expect(await namesOf(ann, { include_public: false, include_subscribed: false })).toEqual([])
      expect(streams.find((stream) => stream.name === 'general')).toMatchObject({ is_default: true })
      expect(streams.find((stream) => stream.name === name)).toMatchObject({ is_default: false })
    })

    test('lists all that the caller can see, or can read', async () => {
      const open = await newChannel(ann)
      const hidden = await newChannel(ann, { isPrivate: true })
      const none = { include_public: false, include_subscribed: false }

      expect(await namesOf(ben, { ...none, include_all: true })).toContain(open.name)
      expect(await namesOf(ben, { ...none, include_all: true })).not.toContain(hidden.name)
      expect(await namesOf(owner, { ...none, include_all: true })).toContain(hidden.name)
      expect(await namesOf(ben, { ...none, include_can_access_content: true })).toContain(open.name)
      expect(await namesOf(ann, { ...none, include_can_access_content: true })).toContain(hidden.name)
      expect(await namesOf(owner, { ...none, include_can_access_content: true })).not.toContain(hidden.name)
    })

    test('lists all active channels only for administrators', async () => {
      expect(await ann.send(listChannels, { include_all_active: true })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('GET /streams/{stream_id} and GET /get_stream_id', () => {
    test('convert between ID and name', async () => {
      const { name, id } = await newChannel(ann)

      expect((await ben.call(getChannelId, { stream: name.toUpperCase() })).stream_id).toBe(id)
      expect((await ben.call(getChannel, { stream_id: id })).stream).toMatchObject({
        stream_id: id,
        name,
        creator_id: ann.userId,
      })
    })

    test('return the first message, which announces the channel', async () => {
      const { name, id } = await newChannel(ann)
      await sendToChannel(ann, name)

      const { stream } = await ben.call(getChannel, { stream_id: id })
      const { message } = await ben.call(getMessage, { message_id: stream.first_message_id ?? 0 })

      expect(message).toMatchObject({
        stream_id: id,
        subject: 'stream events',
        flags: ['read', 'historical'],
      })
      expect(message.content).toContain(`data-user-id="${ann.userId}"`)
    })

    test('reject an unknown channel', async () => {
      expect(await ben.send(getChannel, { stream_id: 999_999 })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(getChannelId, { stream: 'no such channel' })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('GET /users/me/{stream_id}/topics', () => {
    test('lists topics from newest to oldest, one for all spellings', async () => {
      const { name, id, noticeId } = await newChannel(ann)
      await sendToChannel(ann, name, 'one', 'lunch')
      const dinner = await sendToChannel(ann, name, 'two', 'dinner')
      const lunch = await sendToChannel(ann, name, 'three', 'Lunch')

      const { topics } = await ben.call(listTopics, { stream_id: id })

      expect(topics).toEqual([
        { name: 'Lunch', max_id: lunch },
        { name: 'dinner', max_id: dinner },
        { name: 'stream events', max_id: noticeId },
      ])
    })

    test('lists only topics of received messages if the history is protected', async () => {
      const { name, id } = await newChannel(ann, { isPrivate: true })
      await sendToChannel(ann, name, 'before', 'old')
      await ann.call(subscribe, { subscriptions: [{ name }], principals: [ben.userId] })
      await sendToChannel(ann, name, 'after', 'new')

      const { topics } = await ben.call(listTopics, { stream_id: id })

      expect(topics.map((topic) => topic.name)).toEqual(['new'])
    })
  })
}

const formOf = (fields: object): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])
