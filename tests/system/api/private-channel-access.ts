import { endpoints, type GroupSettingValue, Role, systemGroupIds } from '@tms/contracts'
import { type ApiClient, type ClientEvent, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { uploadTo } from '../support/files.ts'
import { newGroup } from '../support/groups.ts'
import { administer, createPrivate } from '../support/release-before.ts'
import { holdChannelLock, holdChannelVisibilityLock } from '../support/row-locks.ts'
import {
  newChannel,
  newChannelName,
  newUserOfRole,
  newUsers,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const { addReaction, addSubmessage, archiveChannel, createDrafts, editMessage, getChannel } =
  endpoints.messaging
const { getMessage, getMessages, getReadReceipts, listChannels, listSubscribers, listTopics } =
  endpoints.messaging
const { sendMessage, setEditTypingStatus, subscribe, unsubscribe, updateChannel } = endpoints.messaging
const { updateMessageFlags, updateUserTopic } = endpoints.messaging
const { updateUser, updateUserGroupMembers, updateUserGroupSubgroups } = endpoints.users
const { register } = endpoints.events

type Granting = 'can_administer_channel_group' | 'can_add_subscribers_group' | 'can_subscribe_group'
const READING = ['can_add_subscribers_group', 'can_subscribe_group'] as const
const LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'] as const
const users = (...clients: readonly ApiClient[]): GroupSettingValue => ({
  direct_members: clients.map(({ userId }) => userId).sort((a, b) => a - b),
  direct_subgroups: [],
})

/** Who sees and reads private channels without a subscription. */
export const privateChannelAccessTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  let guest: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[ann, ben, cem] = await newUsers(system(), 3)
    guest = await newUserOfRole(system(), Role.guest)
  })
  const shared = (others: readonly ApiClient[] = []) =>
    newChannel(ann, { isPrivate: true, hasSharedHistory: true, others })
  const give = (stream_id: number, name: Granting, value: GroupSettingValue) =>
    ann.call(updateChannel, { stream_id, [name]: value })
  /** What a user may do with a channel and a message in it, by name. */
  const possibilities = async (
    client: ApiClient,
    { id, name }: { id: number; name: string },
    message_id: number,
  ): Promise<string> => {
    const draft = { type: 'stream' as const, to: [id], topic: 'a topic', content: 'x' }
    const flag = { messages: [message_id], op: 'add' as const, flag: 'starred' }
    const found = async () => {
      // Those who only flagged something in the channel were never in it, so it is unknown to them.
      for (const term of [
        { operator: 'channel', operand: id },
        { operator: 'is', operand: 'starred' },
      ]) {
        const page = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [term] }
        const { status, body } = await client.send(getMessages, page)
        const { messages = [] } = body as { messages?: { id: number }[] }
        if (messages.some((message) => message.id === message_id)) return { status }
      }
      return { status: 400 }
    }
    const attempts: Record<string, () => Promise<{ status: number; body?: Record<string, unknown> }>> = {
      see: () => client.send(getChannel, { stream_id: id }),
      subscribers: () => client.send(listSubscribers, { stream_id: id }),
      topics: () => client.send(listTopics, { stream_id: id }),
      message: () => client.send(getMessage, { message_id }),
      search: found,
      receipts: () => client.send(getReadReceipts, { message_id }),
      react: () => client.send(addReaction, { message_id, emoji_name: 'tada' }),
      flag: () => client.send(updateMessageFlags, flag),
      policy: () => client.send(updateUserTopic, { stream_id: id, topic: 'a topic', visibility_policy: 3 }),
      draft: () => client.send(createDrafts, { drafts: [draft] }),
      send: () => client.send(sendMessage, { type: 'channel', to: name, topic: 'a topic', content: 'x' }),
    }
    const done: string[] = []
    for (const [what, attempt] of Object.entries(attempts)) {
      const { status, body } = await attempt()
      if (status === 200 || body?.['code'] === 'REACTION_ALREADY_EXISTS') done.push(what)
    }
    return done.join(' ')
  }
  const METADATA = 'see subscribers'
  /** Like a message that one received, one that one flagged stays one's own. */
  const KEPT = 'search flag'
  const EVERYTHING = 'see subscribers topics message search receipts react flag policy draft send'
  /** The lists of register that have a channel, and what they say of it. */
  const stateOf = async (client: ApiClient, stream_id: number) => {
    const fetch_event_types = ['stream', 'subscription']
    const state = await client.call(register, { fetch_event_types, include_subscribers: true })
    return Object.fromEntries(
      LISTS.flatMap((list) => {
        const found = (state[list] as { stream_id: number }[]).find((one) => one.stream_id === stream_id)
        return found ? [[list, found]] : []
      }),
    )
  }
  const kindOf = ({ type, op, property }: ClientEvent) => [type, op, property].filter(Boolean).join(' ')
  /** The kinds of events about channels that each user's client receives. */
  const kindsDuring = async (clients: readonly ApiClient[], act: () => Promise<unknown>) => {
    const event_types = ['stream', 'subscription', 'message']
    const watchers = await Promise.all(clients.map((client) => watch(client, { event_types })))
    const lists = await eventsOf(system(), watchers, act)
    await stopWatching(watchers)
    return lists.map((events) => events.map(kindOf).filter((kind) => kind !== 'message'))
  }

  describe('a private channel', () => {
    test('is seen by those who administer it, who read nothing', async () => {
      const channel = await shared()
      const message_id = await sendToChannel(ann, channel.name)
      expect(await possibilities(ben, channel, message_id)).toBe('')

      await give(channel.id, 'can_administer_channel_group', users(ann, ben, guest))

      expect(await possibilities(ben, channel, message_id)).toBe(METADATA)
      expect(await possibilities(guest, channel, message_id)).toBe('')
      expect(await possibilities(cem, channel, message_id)).toBe('')
      expect(await stateOf(ben, channel.id)).toMatchObject({
        streams: { name: channel.name, invite_only: true },
        never_subscribed: { subscribers: [ann.userId] },
      })
      expect(await stateOf(cem, channel.id)).toEqual({})
    })

    test('is sent to no guest when it is created, whatever permission names them', async () => {
      const clients = [ben, guest]
      for (const permission of [...READING, 'can_administer_channel_group'] as const) {
        let id = 0
        const lists = await kindsDuring(clients, async () => {
          const { subscribed } = await ann.call(subscribe, {
            ...{ subscriptions: [{ name: newChannelName() }], invite_only: true },
            [permission]: users(ann, ben, guest),
          })
          const [name = ''] = subscribed[ann.userId] ?? []
          id = (await ann.call(endpoints.messaging.getChannelId, { stream: name })).stream_id
        })

        expect(lists).toEqual([['stream create', 'subscription peer_add'], []])
        expect(await stateOf(guest, id)).toEqual({})
      }
    })

    test('is sent once to a guest who is subscribed to it when it is created', async () => {
      const [kinds] = await kindsDuring([guest], () =>
        ann.call(subscribe, {
          ...{ subscriptions: [{ name: newChannelName() }], invite_only: true },
          ...{ principals: [guest.userId, ann.userId], can_subscribe_group: users(ann, guest) },
        }),
      )

      expect(kinds?.filter((kind) => kind === 'stream create')).toHaveLength(1)
    })

    test.each(READING)('is read by those who may subscribe to it, or add others: %s', async (permission) => {
      const channel = await shared()
      const message_id = await sendToChannel(ann, channel.name)
      const url = await uploadTo(ann)
      await sendToChannel(ann, channel.name, `[a file](${url})`)
      expect((await ben.fetch(url)).status).toBe(404)

      await give(channel.id, permission, users(ben, guest))

      expect(await possibilities(ben, channel, message_id)).toBe(EVERYTHING)
      expect(await possibilities(guest, channel, message_id)).toBe('')
      expect((await ben.fetch(url)).status).toBe(200)
      expect((await guest.fetch(url)).status).toBe(404)
      const listed = async (client: ApiClient) => {
        const { streams } = await client.call(listChannels, { include_can_access_content: true })
        return streams.some(({ stream_id }) => stream_id === channel.id)
      }
      expect([await listed(ben), await listed(guest), await listed(owner)]).toEqual([true, false, false])
      await give(channel.id, permission, systemGroupIds['role:nobody'])
      expect(await possibilities(ben, channel, message_id)).toBe(KEPT)
      expect((await cem.fetch(url)).status).toBe(404)
    })

    test('keeps a protected history from those who may subscribe to it, and what they say', async () => {
      const channel = await newChannel(ann, { isPrivate: true, others: [cem] })
      const message_id = await sendToChannel(ann, channel.name)
      await owner.call(unsubscribe, { subscriptions: [channel.name], principals: [cem.userId] })

      await give(channel.id, 'can_subscribe_group', users(ben, cem))

      expect(await possibilities(ben, channel, message_id)).toBe('see subscribers topics policy draft')
      // Received before.
      expect(await possibilities(cem, channel, message_id)).toBe(EVERYTHING.replace(' send', ''))
    })

    test('lets those who read it edit their own messages and widgets', async () => {
      const channel = await shared()
      await give(channel.id, 'can_subscribe_group', users(ben))
      const message_id = await sendToChannel(ben, channel.name)
      const typing = { message_id, op: 'start' } as const

      expect(await ben.send(editMessage, { message_id, content: 'again' })).toMatchObject(success())
      expect(await ben.send(setEditTypingStatus, typing)).toMatchObject(success())
      const poll = await sendToChannel(ann, channel.name, '/poll Tea?\nyes\nno')
      const vote = {
        message_id: poll,
        msg_type: 'widget',
        content: '{"type":"vote","key":"canned,0","vote":1}',
      }
      expect(await ben.send(addSubmessage, vote)).toMatchObject(success())
      expect(await cem.send(addSubmessage, vote)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('is joined by those who may subscribe to it', async () => {
      const channel = await shared()
      const join = (client: ApiClient) => client.send(subscribe, { subscriptions: [{ name: channel.name }] })
      await give(channel.id, 'can_administer_channel_group', users(ann, cem))
      expect(await join(ben)).toMatchObject(refusal('BAD_REQUEST'))

      await give(channel.id, 'can_subscribe_group', users(ben, guest))

      expect(await join(cem)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await join(guest)).toMatchObject(refusal('BAD_REQUEST'))
      const [own, anns, others] = await kindsDuring([ben, ann, cem], () => join(ben))
      expect(own).toEqual(['subscription add'])
      expect([anns, others]).toEqual([['subscription peer_add'], ['subscription peer_add']])
      expect(
        await kindsDuring([ben], () => ben.call(unsubscribe, { subscriptions: [channel.name] })),
      ).toEqual([['subscription remove']])
      expect(await stateOf(ben, channel.id)).toMatchObject({ unsubscribed: { name: channel.name } })
    })

    test('gets subscribers from those who may add some, who need not be subscribed', async () => {
      const channel = await shared()
      await give(channel.id, 'can_add_subscribers_group', users(ben))
      const add = (client: ApiClient) =>
        client.send(subscribe, { subscriptions: [{ name: channel.name }], principals: [cem.userId] })

      expect(await add(owner)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await add(ben)).toMatchObject(success())
      const { subscribers } = await ann.call(listSubscribers, { stream_id: channel.id })
      expect(subscribers).toEqual([ann.userId, cem.userId])
    })
  })

  describe('those who administer a private channel', () => {
    test('change its settings and remove subscribers, but let nobody in', async () => {
      const channel = await shared([cem])
      await give(channel.id, 'can_administer_channel_group', users(ben))
      const change = (changes: object) => ben.send(updateChannel, { stream_id: channel.id, ...changes })

      for (const changes of [
        { is_private: false },
        { history_public_to_subscribers: false },
        { can_add_subscribers_group: users(ben) },
        { can_subscribe_group: users(ben) },
      ])
        expect([changes, await change(changes)]).toMatchObject([changes, refusal('BAD_REQUEST')])
      for (const changes of [
        { new_name: newChannelName() },
        { description: 'by somebody outside' },
        { can_send_message_group: systemGroupIds['role:moderators'] },
        { can_administer_channel_group: users(ann, ben) },
      ])
        expect([changes, await change(changes)]).toMatchObject([changes, success()])
      const { name } = (await ben.call(getChannel, { stream_id: channel.id })).stream
      const removal = { subscriptions: [name], principals: [cem.userId] }
      expect(await ben.send(subscribe, { subscriptions: [{ name }] })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(unsubscribe, removal)).toMatchObject(success({ removed: [name] }))
      expect(await ben.send(archiveChannel, { stream_id: channel.id })).toMatchObject(success())
    })

    test('see the channel that they left', async () => {
      const channel = await shared([ben])
      const message_id = await sendToChannel(ann, channel.name)

      const left = await kindsDuring([ann], () => ann.call(unsubscribe, { subscriptions: [channel.name] }))

      expect(left).toEqual([['subscription remove']])
      expect(await possibilities(ann, channel, message_id)).toBe(`${METADATA} ${KEPT}`)
      expect(await stateOf(ann, channel.id)).toMatchObject({ unsubscribed: { subscribers: [ben.userId] } })
    })
  })

  test('a change of a group that no private channel names waits for nobody', async () => {
    const group = await newGroup(owner)
    const lock = await holdChannelVisibilityLock(system())
    try {
      await owner.call(updateUserGroupMembers, { user_group_id: group.id, add: [ben.userId] })
      await lock.waitForWaiters(0)
    } finally {
      await lock.release()
    }
  })

  describe('clients learn at once', () => {
    const GAIN = ['stream create', 'subscription peer_add']
    const LOSS = ['stream delete']

    test('of a channel whose permissions are given to them, and taken', async () => {
      const channel = await shared([cem])
      const value = 'stream update can_subscribe_group'
      const to =
        (...clients: ApiClient[]) =>
        () =>
          give(channel.id, 'can_subscribe_group', users(...clients))

      const all = [ben, guest, cem, owner]
      expect(await kindsDuring(all, to(ben, guest))).toEqual([GAIN, [], [value], [value]])
      expect(await kindsDuring(all, to(ben))).toEqual([[value], [], [value], [value]])
      expect(await kindsDuring(all, to())).toEqual([LOSS, [], [value], [value]])
    })

    test('of new channels that they may join, of their changes and their end', async () => {
      const name = newChannelName()
      const create = () =>
        ann.call(subscribe, {
          subscriptions: [{ name }],
          invite_only: true,
          can_subscribe_group: users(ben),
        })

      const [created, others] = await kindsDuring([ben, cem], create)
      expect(created).toEqual(
        ['stream create', 'subscription peer_add', 'stream update first_message_id'].slice(
          0,
          created?.length,
        ),
      )
      expect(created?.slice(0, 2)).toEqual(GAIN)
      expect(others).toEqual([])
      const { stream_id } = await ben.call(endpoints.messaging.getChannelId, { stream: name })
      const rename = () => ann.call(updateChannel, { stream_id, new_name: newChannelName() })
      expect(await kindsDuring([ben, cem], rename)).toEqual([['stream update name'], []])
      const archive = () => ann.call(archiveChannel, { stream_id })
      expect(await kindsDuring([ben, cem], archive)).toEqual([LOSS, []])
    })

    test('of a channel that becomes private or public', async () => {
      const channel = await newChannel(ann)
      await give(channel.id, 'can_subscribe_group', users(ben))
      const set = (is_private: boolean) => () =>
        ann.call(updateChannel, { stream_id: channel.id, is_private })
      const changed = ['stream update invite_only']

      expect(await kindsDuring([ben, cem, guest], set(true))).toEqual([changed, LOSS, []])
      expect(await kindsDuring([ben, cem, guest], set(false))).toEqual([changed, GAIN, []])
    })

    test('of members of a group, and of its subgroups', async () => {
      const [inner, outer] = [await newGroup(owner), await newGroup(owner)]
      const channel = await shared()
      const message_id = await sendToChannel(ann, channel.name)
      await give(channel.id, 'can_subscribe_group', { direct_members: [], direct_subgroups: [outer.id] })
      const subgroups = (change: { add?: number[]; delete?: number[] }) => () =>
        owner.call(updateUserGroupSubgroups, { user_group_id: outer.id, ...change })
      const members = (change: { add?: number[]; delete?: number[] }) => () =>
        owner.call(updateUserGroupMembers, { user_group_id: inner.id, ...change })
      const learned = async (act: () => Promise<unknown>) => [
        ...(await kindsDuring([ben, cem, ann], act)),
        await possibilities(ben, channel, message_id),
      ]

      expect(await learned(members({ add: [ben.userId] }))).toEqual([[], [], [], ''])
      expect(await learned(subgroups({ add: [inner.id] }))).toEqual([GAIN, [], [], EVERYTHING])
      expect(await learned(members({ add: [cem.userId] }))).toEqual([[], GAIN, [], EVERYTHING])
      expect(await learned(members({ delete: [ben.userId] }))).toEqual([LOSS, [], [], KEPT])
      expect(await learned(subgroups({ delete: [inner.id] }))).toEqual([[], LOSS, [], KEPT])
    })

    test('of a group that gets a permission while its members change', async () => {
      const group = await newGroup(owner)
      const channel = await shared()
      const lock = await holdChannelLock(system(), channel.id)
      const value = { direct_members: [], direct_subgroups: [group.id] }

      const giving = give(channel.id, 'can_subscribe_group', value)
      await lock.waitForWaiters(1)
      const joining = owner.call(updateUserGroupMembers, { user_group_id: group.id, add: [ben.userId] })
      await lock.waitForWaiters(2)
      await lock.release()
      await Promise.all([giving, joining])

      expect(await stateOf(ben, channel.id)).toMatchObject({ never_subscribed: {} })
    })

    test('of a new channel whose group changes meanwhile', async () => {
      const group = await newGroup(owner)
      const other = await shared()
      const name = newChannelName()
      const lock = await holdChannelLock(system(), other.id)

      const creating = ann.call(subscribe, {
        subscriptions: [{ name }, { name: other.name }],
        invite_only: true,
        can_subscribe_group: { direct_members: [], direct_subgroups: [group.id] },
      })
      await lock.waitForWaiters(1)
      const joining = owner.call(updateUserGroupMembers, { user_group_id: group.id, add: [ben.userId] })
      await lock.waitForWaiters(2)
      await lock.release()
      await Promise.all([creating, joining])

      const { stream_id } = await ben.call(endpoints.messaging.getChannelId, { stream: name })
      expect(await stateOf(ben, stream_id)).toMatchObject({ never_subscribed: { name } })
    })

    test('of what replicas of the release before change, within seconds', async () => {
      const channel = await shared()
      const queue = (await registerQueue(ben, { event_types: ['stream'] })).follow()
      const learns = (op: string) =>
        queue.waitFor((event) => event['op'] === op && JSON.stringify(event).includes(channel.name), op)
      const name = newChannelName()

      await administer(system(), channel.id, users(ben))
      await learns('create')
      expect(await possibilities(ben, channel, 0)).toBe(METADATA)
      await administer(system(), channel.id, users())
      await learns('delete')
      expect(await possibilities(ben, channel, 0)).toBe('')
      await createPrivate(system(), name, users(ben))
      await queue.waitFor(({ streams }) => JSON.stringify(streams).includes(name), 'the new channel')
      await queue.stop()
    })

    test('of full membership, within seconds', async () => {
      const channel = await shared()
      await give(channel.id, 'can_subscribe_group', systemGroupIds['role:fullmembers'])
      const queue = (await registerQueue(ben, { event_types: ['stream'] })).follow()
      const isOf = ({ op, stream_ids, streams }: ClientEvent, wanted: string) =>
        op === wanted && JSON.stringify(stream_ids ?? streams).includes(`${channel.id}`)
      const wait = (waiting_period_threshold: number) =>
        owner.call(endpoints.realm.updateRealm, { waiting_period_threshold })

      expect(await stateOf(ben, channel.id)).toMatchObject({ never_subscribed: {} })
      await wait(30)
      await queue.waitFor((event) => isOf(event, 'delete'), 'the channel going')
      expect(await stateOf(ben, channel.id)).toEqual({})
      await wait(0)
      await queue.waitFor((event) => isOf(event, 'create'), 'the channel coming')
      expect(await stateOf(ben, channel.id)).toMatchObject({ never_subscribed: {} })
      await queue.stop()
    })

    test('of their role', async () => {
      const [user] = await newUsers(system(), 1)
      const [direct, moderated] = [await shared(), await shared()]
      await give(direct.id, 'can_subscribe_group', users(user))
      await give(moderated.id, 'can_add_subscribers_group', systemGroupIds['role:moderators'])
      const ids = [direct.id, moderated.id]
      const queue = (await registerQueue(user, { event_types: ['stream', 'realm_user'] })).follow()
      const become = async (role: Role) => {
        const from = queue.events.length
        await owner.call(updateUser, { user_id: user.userId, role })
        const last = await newChannel(ann)
        const wanted = role === Role.guest ? 'delete' : 'create'
        const name = role === Role.guest ? 'stream' : last.name
        await queue.waitFor(
          (event) => event['op'] === wanted && JSON.stringify(event).includes(name),
          'the last',
        )
        return queue.events
          .slice(from)
          .flatMap(({ op, streams }) =>
            ((streams as { stream_id: number }[] | undefined) ?? [])
              .filter(({ stream_id }) => ids.includes(stream_id))
              .map(({ stream_id }) => `${op} ${stream_id === direct.id ? 'direct' : 'moderated'}`),
          )
      }

      expect(await become(Role.moderator)).toEqual(['create moderated'])
      expect(await stateOf(user, moderated.id)).toMatchObject({ never_subscribed: {} })
      expect(await become(Role.member)).toEqual(['delete moderated'])
      expect(await stateOf(user, moderated.id)).toEqual({})
      expect(await stateOf(user, direct.id)).toMatchObject({ never_subscribed: {} })
      await become(Role.guest)
      expect(await stateOf(user, direct.id)).toEqual({})
      expect((await become(Role.member)).filter((one) => one === 'create direct')).toHaveLength(1)
      await queue.stop()
    })
  })
}
