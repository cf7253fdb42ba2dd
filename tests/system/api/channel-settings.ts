import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import {
  newChannel,
  newChannelName,
  newUserOfRole,
  newUsers,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  addDefaultChannel,
  archiveChannel,
  getChannel,
  getChannelEmailAddress,
  getChannelId,
  getMessage,
  getMessages,
  getSubscriptionStatus,
  listChannels,
  listSubscribers,
  listSubscriptions,
  removeDefaultChannel,
  subscribe,
  unsubscribe,
  updateChannel,
} = endpoints.messaging
const { register } = endpoints.events

export const channelSettingsTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let ann: ApiClient
  let ben: ApiClient
  let guest: ApiClient
  let watchers: Watcher[]
  beforeAll(async () => {
    owner = system().owner
    ;[ann, ben] = await newUsers(system(), 2)
    guest = await newUserOfRole(system(), Role.guest)
    watchers = await Promise.all([ann, ben, guest, owner].map((client) => watch(client)))
  })
  afterAll(() => stopWatching(watchers))

  /** The events of Ann, Ben, the guest and the owner during an act, without messages. */
  const eventsDuring = async (act: () => Promise<unknown>) => {
    const lists = await eventsOf(system(), watchers, act)
    const [anns = [], bens = [], guests = [], owners = []] = lists.map((events) =>
      events.filter(({ type }) => type !== 'message'),
    )
    return { ann: anns, ben: bens, guest: guests, owner: owners }
  }
  const channelOf = async (stream_id: number) => (await owner.call(getChannel, { stream_id })).stream
  /** The messages of the notification bot in a channel, newest first, without the notice of its creation. */
  const noticesIn = async (client: ApiClient, channel: number) => {
    const narrow = [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: 'stream events' },
    ]
    const { messages } = await client.call(getMessages, {
      anchor: 'newest',
      num_before: 20,
      num_after: 0,
      narrow,
    })
    return messages
      .map(({ content }) => content)
      .toReversed()
      .slice(0, -1)
  }

  describe('PATCH /streams/{stream_id}', () => {
    test('renames a channel, keeps its old name as an alias, and frees it', async () => {
      const { name, id } = await newChannel(ann, { others: [guest] })
      const new_name = newChannelName()

      const events = await eventsDuring(() => owner.call(updateChannel, { stream_id: id, new_name }))

      const renamed = { type: 'stream', op: 'update', stream_id: id, name, property: 'name', value: new_name }
      for (const list of Object.values(events)) expect(list).toMatchObject([renamed])
      expect(await channelOf(id)).toMatchObject({ name: new_name })
      expect(await ann.send(getChannelId, { stream: name })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(subscribe, { subscriptions: [{ name }] })).toMatchObject(success())
    })

    test('changes the case of a name, but rejects the name of another channel', async () => {
      const { name, id } = await newChannel(ann)
      const other = await newChannel(ann)

      expect(await owner.send(updateChannel, { stream_id: id, new_name: name.toUpperCase() })).toMatchObject(
        success(),
      )
      expect(
        await owner.send(updateChannel, { stream_id: id, new_name: other.name.toUpperCase() }),
      ).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('gives a name to one of several concurrent requests', async () => {
      const ids = await Promise.all([newChannel(ann), newChannel(ann), newChannel(ann)])
      const new_name = newChannelName()

      const answers = await Promise.all(
        ids.map(({ id }) => owner.send(updateChannel, { stream_id: id, new_name })),
      )

      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400])
    })

    test('changes all settings at once and delivers each', async () => {
      const { name, id } = await newChannel(ann)
      const events = await eventsDuring(() =>
        owner.call(updateChannel, {
          stream_id: id,
          description: 'about\n*this*',
          stream_post_policy: 4,
          message_retention_days: 'unlimited',
          can_remove_subscribers_group: 3,
        }),
      )

      const common = { type: 'stream', op: 'update', stream_id: id, name }
      const rendered_description = expect.stringContaining('<em>this</em>')
      expect(events.ben).toMatchObject([
        { ...common, property: 'description', value: 'about *this*', rendered_description },
        { ...common, property: 'stream_post_policy', value: 4 },
        { ...common, property: 'is_announcement_only', value: false },
        { ...common, property: 'message_retention_days', value: -1 },
        { ...common, property: 'can_remove_subscribers_group', value: 3 },
        { ...common, property: 'can_send_message_group', value: 3 },
      ])
      expect(events.guest).toEqual([])
      expect(await channelOf(id)).toMatchObject({
        description: 'about *this*',
        stream_post_policy: 4,
        message_retention_days: -1,
        can_remove_subscribers_group: 3,
        can_send_message_group: 3,
      })
    })

    test('gives permissions to users and groups together, and tells older clients the widest policy', async () => {
      const { name, id } = await newChannel(ann)
      const posters = { direct_members: [guest.userId, ben.userId], direct_subgroups: [2] }
      const can_send_message_group = {
        ...posters,
        direct_members: [ben.userId, guest.userId].sort((a, b) => a - b),
      }
      await owner.call(updateChannel, { stream_id: id, is_announcement_only: true })
      const events = await eventsDuring(() =>
        owner.call(updateChannel, { stream_id: id, can_send_message_group: { new: posters, old: 2 } }),
      )

      const common = { type: 'stream', op: 'update', stream_id: id, name }
      expect(events.ben).toMatchObject([
        { ...common, property: 'stream_post_policy', value: 1 },
        { ...common, property: 'is_announcement_only', value: false },
        { ...common, property: 'can_send_message_group', value: can_send_message_group },
      ])
      expect(await channelOf(id)).toMatchObject({ can_send_message_group, stream_post_policy: 1 })
    })

    test('keeps a permission that somebody else changed meanwhile', async () => {
      const { id } = await newChannel(ann)
      const change = { new: 3, old: 2 }

      expect(
        await owner.send(updateChannel, { stream_id: id, can_send_message_group: change }),
      ).toMatchObject(refusal('EXPECTATION_MISMATCH', { field_name: 'old' }))
      expect(await channelOf(id)).toMatchObject({ can_send_message_group: 6 })
    })

    test('makes a public channel private, which removes it for non-subscribers', async () => {
      const { name, id } = await newChannel(ann)
      const events = await eventsDuring(() => owner.call(updateChannel, { stream_id: id, is_private: true }))

      const change = {
        type: 'stream',
        op: 'update',
        stream_id: id,
        property: 'invite_only',
        value: true,
        history_public_to_subscribers: false,
        is_web_public: false,
      }
      expect(events.ann).toMatchObject([change])
      expect(events.owner).toMatchObject([change])
      expect(events.ben).toMatchObject([
        { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id, name }] },
      ])
      expect(events.guest).toEqual([])
      expect(await ben.send(getChannel, { stream_id: id })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('makes a private channel public, which others see with its subscribers', async () => {
      const { id } = await newChannel(ann, { isPrivate: true, others: [owner] })
      const events = await eventsDuring(() => owner.call(updateChannel, { stream_id: id, is_private: false }))

      expect(events.ann).toMatchObject([{ op: 'update', property: 'invite_only', value: false }])
      expect(events.ben).toMatchObject([
        { type: 'stream', op: 'create', streams: [{ stream_id: id, invite_only: false }] },
        {
          type: 'subscription',
          op: 'peer_add',
          stream_ids: [id],
          user_ids: [owner.userId, ann.userId].sort((a, b) => a - b),
        },
      ])
      expect(events.guest).toEqual([])
    })

    test('rejects an administrator who is not subscribed to a private channel', async () => {
      const { id } = await newChannel(ann, { isPrivate: true })

      expect(await owner.send(updateChannel, { stream_id: id, is_private: false })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await owner.send(updateChannel, { stream_id: id, description: 'seen' })).toMatchObject(success())
    })

    test('lets later subscribers read earlier messages while the history is shared', async () => {
      const { name, id } = await newChannel(ann, { isPrivate: true, others: [owner] })
      const message_id = await sendToChannel(ann, name, 'before')
      await ann.call(subscribe, { subscriptions: [{ name }], principals: [ben.userId] })
      const share = (history_public_to_subscribers: boolean) =>
        owner.call(updateChannel, { stream_id: id, history_public_to_subscribers })

      expect(await ben.send(getMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))
      await share(true)
      expect(await ben.send(getMessage, { message_id })).toMatchObject(success())
      await share(false)
      expect(await ben.send(getMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('lets only owners change the retention', async () => {
      const administrator = await newUserOfRole(system(), Role.administrator)
      const { id } = await newChannel(ann)
      const change = { stream_id: id, message_retention_days: 30 }

      expect(await administrator.send(updateChannel, change)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      expect(await owner.send(updateChannel, change)).toMatchObject(success())
      expect(await owner.send(updateChannel, { ...change, message_retention_days: -5 })).toMatchObject(
        refusal('REQUEST_VARIABLE_INVALID', { var_name: 'message_retention_days', bad_value: '-5' }),
      )
    })

    test('posts in the channel what changed and who changed it', async () => {
      const { id } = await newChannel(ann, { others: [owner] })
      await owner.call(updateChannel, { stream_id: id, description: 'new', stream_post_policy: 2 })
      await owner.call(updateChannel, { stream_id: id, can_remove_subscribers_group: 3 })

      const notices = await noticesIn(ann, id)

      expect(notices).toHaveLength(2)
      expect(notices[0]).toContain('administrators')
      expect(notices[1]).toContain('new')
      for (const notice of notices) expect(notice).toContain(`data-user-id="${owner.userId}"`)
    })

    test('changes and delivers nothing for an empty request', async () => {
      const { id } = await newChannel(ann)

      const events = await eventsDuring(() => owner.call(updateChannel, { stream_id: id }))

      for (const list of Object.values(events)) expect(list).toEqual([])
    })

    test.each<[string, Record<string, string>]>([
      ['a blank name', { new_name: ' ' }],
      ['a name of 61 characters', { new_name: '🦉'.repeat(61) }],
      ['a description of 1025 characters', { description: 'x'.repeat(1025) }],
      ['a post policy that is none', { stream_post_policy: '5' }],
      ['a public channel with protected history', { history_public_to_subscribers: 'false' }],
      ['private and web-public', { is_private: 'true', is_web_public: 'true' }],
      ['a web-public channel where the organization is closed', { is_web_public: 'true' }],
      ['a private channel for new users', { is_private: 'true', is_default_stream: 'true' }],
      ['a group that nobody knows', { can_remove_subscribers_group: '999999' }],
      [
        'a user that nobody knows',
        { can_send_message_group: '{"direct_members": [999999], "direct_subgroups": []}' },
      ],
      ['everyone on the internet', { can_send_message_group: '7' }],
      ['two names of one permission', { can_send_message_group: '6', stream_post_policy: '1' }],
    ])('rejects %s, and changes nothing', async (_, fields) => {
      const { id } = await newChannel(ann)
      const before = await channelOf(id)

      const answer = await owner.request('PATCH', `/streams/${id}`, Object.entries(fields))

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(await channelOf(id)).toEqual(before)
    })
  })

  describe('DELETE /streams/{stream_id}', () => {
    test('removes the channel for everyone who saw it, with one event', async () => {
      const { name, id } = await newChannel(ann, { others: [guest] })
      const events = await eventsDuring(() => owner.call(archiveChannel, { stream_id: id }))

      const deleted = { type: 'stream', op: 'delete', streams: [{ stream_id: id, name }] }
      for (const list of Object.values(events)) expect(list).toMatchObject([deleted])
    })

    test('leaves no listing, subscription, unread message or name', async () => {
      const { name, id } = await newChannel(ann, { others: [ben] })
      const received = await sendToChannel(ann, name, 'to be forgotten')
      await owner.call(archiveChannel, { stream_id: id })

      const { streams } = await owner.call(listChannels, { include_all_active: true })
      const { subscriptions } = await ben.call(listSubscriptions, {})
      const state = await ben.call(register, {
        fetch_event_types: ['message', 'update_message_flags', 'subscription', 'stream'],
      })
      expect(JSON.stringify([streams, subscriptions, state])).not.toContain(name)
      expect(JSON.stringify(state['unread_msgs'])).not.toContain(`${received}`)
      expect(await ann.send(endpoints.messaging.sendMessage, messageTo(name))).toMatchObject(
        refusal('STREAM_DOES_NOT_EXIST'),
      )
      expect(await ann.send(subscribe, { subscriptions: [{ name }] })).toMatchObject(success())
      expect((await ann.call(getChannelId, { stream: name })).stream_id).not.toBe(id)
    })

    test('keeps the received messages, under another name', async () => {
      const { name, id } = await newChannel(ann)
      const received = await sendToChannel(ann, name, 'to be kept')
      await owner.call(archiveChannel, { stream_id: id })

      const { messages } = await ann.call(getMessages, { anchor: 'newest', num_before: 1, num_after: 0 })

      expect(messages).toMatchObject([
        { id: received, display_recipient: expect.stringMatching(/^[0-9a-f]{7}!DEACTIVATED:/) },
      ])
    })

    test('fails the second time, and for an unknown channel', async () => {
      const { id } = await newChannel(ann)
      await owner.call(archiveChannel, { stream_id: id })

      for (const stream_id of [id, 999_999]) {
        expect(await owner.send(archiveChannel, { stream_id })).toMatchObject(refusal('BAD_REQUEST'))
        expect(await owner.send(updateChannel, { stream_id, description: 'x' })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
      }
    })
  })

  describe('default channels', () => {
    test('are delivered by ID to everyone except guests, and new users join them', async () => {
      const { name, id } = await newChannel(ann)
      const add = () => owner.call(addDefaultChannel, { stream_id: id })
      const remove = () => owner.call(removeDefaultChannel, { stream_id: id })

      const added = await eventsDuring(add)
      const again = await eventsDuring(add)
      const [joiner] = await newUsers(system(), 1)
      const removed = await eventsDuring(remove)
      const [late] = await newUsers(system(), 1)

      const withIt = { type: 'default_streams', default_streams: expect.arrayContaining([id]) }
      expect(added.ann).toEqual([expect.objectContaining(withIt)])
      expect(added.guest).toEqual([])
      expect(again.ann).toEqual([])
      const listEvents = removed.ann.filter(({ type }) => type === 'default_streams')
      expect(listEvents).toHaveLength(1)
      expect(listEvents).not.toEqual([expect.objectContaining(withIt)])
      const namesOf = async (client: ApiClient | undefined) =>
        (await client?.call(listSubscriptions, {}))?.subscriptions.map((one) => one.name)
      expect(await namesOf(joiner)).toContain(name)
      expect(await namesOf(late)).not.toContain(name)
      expect(await owner.send(removeDefaultChannel, { stream_id: id })).toMatchObject(success())
    })

    test('are the same in the register state and in the event, also for a new channel', async () => {
      const subscriptions = [{ name: newChannelName() }]
      const events = await eventsDuring(() =>
        owner.call(subscribe, { subscriptions, is_default_stream: true }),
      )
      const { stream_id: id } = await ann.call(getChannelId, { stream: subscriptions[0]?.name ?? '' })

      const state = await ann.call(register, { fetch_event_types: ['default_streams'] })

      const lists = events.ann.filter(({ type }) => type === 'default_streams')
      expect(lists).toMatchObject([{ default_streams: state['realm_default_streams'] }])
      expect(state['realm_default_streams']).toContain(id)
      await owner.call(archiveChannel, { stream_id: id })
      const after = await ann.call(register, { fetch_event_types: ['default_streams'] })
      expect(after['realm_default_streams']).not.toContain(id)
    })

    test('cannot be private, and cannot become private', async () => {
      const hidden = await newChannel(ann, { isPrivate: true })
      const { id } = await newChannel(ann)
      await owner.call(updateChannel, { stream_id: id, is_default_stream: true })

      expect(await owner.send(addDefaultChannel, { stream_id: hidden.id })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await owner.send(updateChannel, { stream_id: id, is_private: true })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(
        await owner.send(updateChannel, { stream_id: id, is_private: true, is_default_stream: false }),
      ).toMatchObject(success())
    })
  })

  describe('GET /users/{user_id}/subscriptions/{stream_id}', () => {
    test('says whether a user is subscribed, before and after leaving', async () => {
      const { id: stream_id, name } = await newChannel(ann, { others: [ben] })
      const status = async (user_id: number) =>
        (await owner.call(getSubscriptionStatus, { user_id, stream_id })).is_subscribed

      expect(await status(ben.userId)).toBe(true)
      expect(await status(owner.userId)).toBe(false)
      await ben.call(unsubscribe, { subscriptions: [name] })
      expect(await status(ben.userId)).toBe(false)
    })

    test('hides users and channels that the caller cannot see', async () => {
      const { id: stream_id } = await newChannel(ann, { isPrivate: true })
      const own = await newChannel(ben)

      expect(await ben.send(getSubscriptionStatus, { user_id: ann.userId, stream_id })).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'Invalid channel ID' }),
      )
      expect(await ben.send(getSubscriptionStatus, { user_id: 999_999, stream_id: own.id })).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'No such user' }),
      )
    })
  })

  describe('GET /streams/{stream_id}/members and /email_address', () => {
    test('lists the subscribers', async () => {
      const { id } = await newChannel(ann, { others: [ben] })

      expect((await owner.call(listSubscribers, { stream_id: id })).subscribers).toEqual([
        ann.userId,
        ben.userId,
      ])
    })

    test('returns an empty address, since e-mail is not supported', async () => {
      const { id } = await newChannel(ann)

      expect(await ben.call(getChannelEmailAddress, { stream_id: id })).toMatchObject({ email: '' })
    })

    test('has an address for oneself and one’s own bots as the sender', async () => {
      const { id } = await newChannel(ann)
      const bot = await newBotOf(ann)
      const of = (sender_id: number) => ann.send(getChannelEmailAddress, { stream_id: id, sender_id })

      for (const sender of [ann.userId, bot.userId])
        expect(await of(sender)).toMatchObject(success({ email: '' }))
      const foreign = await newBotOf(ben)
      for (const sender of [ben.userId, foreign.userId, 999_999])
        expect(await of(sender)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('reject a caller who cannot see the channel; the address also requires read access', async () => {
      const { id } = await newChannel(ann, { isPrivate: true })

      expect(await ben.send(listSubscribers, { stream_id: id })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await owner.send(listSubscribers, { stream_id: id })).toMatchObject(success())
      expect(await owner.send(getChannelEmailAddress, { stream_id: id })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })
}

const messageTo = (to: string) => ({ type: 'channel', to, topic: 'a topic', content: 'hello' }) as const
