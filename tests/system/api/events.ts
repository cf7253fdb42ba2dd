import { endpoints } from '@tms/contracts'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createChannel,
  newChannel,
  newChannelName,
  newUsers,
  sendDirectly,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { sendMessage, subscribe, unsubscribe } = endpoints.messaging

export const eventTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  /** Of Ann, Ben, Cem and the owner. */
  let watchers: Watcher[]
  const opened: Watcher[] = []
  beforeAll(async () => {
    ;[ann, ben, cem] = await newUsers(system(), 3)
    watchers = []
    for (const client of [ann, ben, cem, system().owner]) watchers.push(await open(client))
  })
  afterAll(() => stopWatching(opened))

  const open = async (client: ApiClient, input: Parameters<typeof watch>[1] = {}): Promise<Watcher> => {
    const watcher = await watch(client, input)
    opened.push(watcher)
    return watcher
  }
  /** The events of Ann, Ben, Cem and the owner during an act. */
  const eventsDuring = async (act: () => Promise<unknown>) => {
    const [anns = [], bens = [], cems = [], owners = []] = await eventsOf(system(), watchers, act)
    return { ann: anns, ben: bens, cem: cems, owner: owners }
  }

  describe('a message event', () => {
    test('is delivered to the subscribers of the channel, and to nobody else', async () => {
      const { name, id: stream_id } = await newChannel(ann, { others: [ben] })
      let id = 0
      const events = await eventsDuring(async () => {
        id = await sendToChannel(ann, name, '**x**', 'lunch')
      })

      const expected = {
        type: 'message',
        flags: [],
        message: {
          id,
          type: 'stream',
          stream_id,
          display_recipient: name,
          subject: 'lunch',
          content: '**x**',
        },
      }
      expect(messagesIn(events.ann)).toMatchObject([expected])
      expect(events.ben).toMatchObject([expected])
      expect(events.cem).toEqual([])
      expect(events.owner).toEqual([])
      expect(Object.keys(events.ben[0] ?? {}).sort()).toEqual(['flags', 'id', 'message', 'type'])
    })

    test('contains the same record as fetching', async () => {
      const { name } = await newChannel(ann, { others: [ben] })
      let id = 0
      const events = await eventsDuring(async () => {
        id = await sendToChannel(ann, name, 'same', 'see https://example.com')
      })

      const { messages } = await ben.call(endpoints.messaging.getMessages, {
        anchor: String(id),
        num_before: 0,
        num_after: 0,
        apply_markdown: false,
      })
      const { flags, ...message } = messages[0] ?? { flags: null }
      expect(events.ben).toEqual([{ id: expect.any(Number), type: 'message', message, flags }])
    })

    test('is delivered to the participants of a conversation, including the sender', async () => {
      let id = 0
      const events = await eventsDuring(async () => {
        id = await sendDirectly(ann, [ben])
      })

      for (const list of [events.ann, events.ben])
        expect(list).toMatchObject([{ message: { id, type: 'private' } }])
      expect(events.cem).toEqual([])
      expect(events.owner).toEqual([])
    })

    test('contains the initial flags of each recipient', async () => {
      const { name } = await newChannel(ann, { others: [ben, cem] })
      const { user } = await ann.call(endpoints.users.getUser, { user_id: ben.userId })
      const events = await eventsDuring(() =>
        ann.call(sendMessage, {
          type: 'channel',
          to: name,
          topic: 't',
          content: `@**${user.full_name}** and @**all**`,
          read_by_sender: true,
        }),
      )

      const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned']
      expect(flagsIn(events.ann)).toEqual(['read', ...wildcard])
      expect(flagsIn(events.ben)).toEqual(['mentioned', ...wildcard])
      expect(flagsIn(events.cem)).toEqual(wildcard)
    })

    test('contains the local ID only in the queue that sent it', async () => {
      const [sending, other] = [await open(ann), await open(ann)]
      const events = await eventsOf(system(), [sending, other], () =>
        ann.call(sendMessage, {
          type: 'direct',
          to: [ben.userId],
          content: 'echo',
          queue_id: sending.queue.queueId,
          local_id: '17.01',
        }),
      )

      expect(events[0]).toMatchObject([{ type: 'message', local_message_id: '17.01' }])
      expect(events[1]).toHaveLength(1)
      expect(events[1]?.[0]).not.toHaveProperty('local_message_id')
    })

    test('ignores a queue of another user for a local ID, and shows it to nobody', async () => {
      const [, bens] = watchers as [Watcher, Watcher]
      const sendTo = (to: ApiClient) =>
        eventsDuring(() =>
          ann.call(sendMessage, {
            ...{ type: 'direct', to: [to.userId], content: 'one' },
            ...{ queue_id: bens.queue.queueId, local_id: `to ${to.userId}` },
          }),
        )

      const toCem = await sendTo(cem)
      expect([toCem.ben, toCem.cem?.length]).toEqual([[], 1])
      const [bensOwn] = (await sendTo(ben)).ben ?? []
      expect(bensOwn).toMatchObject({ type: 'message' })
      expect(bensOwn).not.toHaveProperty('local_message_id')
    })

    test('omits avatars for clients that compute them, and only for those', async () => {
      const pair = [await open(ben, { client_gravatar: true }), await open(ben, { client_gravatar: false })]

      const [computing, plain] = await eventsOf(system(), pair, () => sendDirectly(ann, [ben]))

      expect(computing).toMatchObject([{ message: { avatar_url: null } }])
      expect(plain).toMatchObject([{ message: { avatar_url: expect.stringMatching(/^https:/) } }])
    })

    test('is delivered from all public channels on request, never from private ones', async () => {
      const listener = await open(cem, { all_public_streams: true })
      const open1 = await newChannel(ann)
      const hidden = await newChannel(ann, { isPrivate: true })
      let id = 0
      const [events] = await eventsOf(system(), [listener], async () => {
        await sendToChannel(ann, hidden.name)
        id = await sendToChannel(ann, open1.name, '@**all**')
      })

      expect(events).toMatchObject([{ type: 'message', message: { id }, flags: [] }])
    })

    test('passes the narrow of a queue, which may include public channels', async () => {
      const { name } = await newChannel(ann)
      const queue = await open(cem, {
        event_types: ['message'],
        narrow: [
          ['channel', name],
          ['topic', 'LUNCH'],
        ],
      })
      await sendToChannel(ann, name, 'no', 'dinner')
      await sendDirectly(ann, [cem], 'no')
      const first = await sendToChannel(ann, name, 'yes', 'lunch')
      const second = await sendToChannel(ann, name, 'yes', 'Lunch')

      await queue.queue.until(() => queue.queue.events.length >= 2, 'both messages')

      expect(queue.queue.events).toMatchObject([
        { message: { id: first }, flags: [] },
        { message: { id: second }, flags: [] },
      ])
    })

    test('is the only type if a client requests no other', async () => {
      const only = await open(ann, { event_types: ['message'] })

      const [events = []] = await eventsOf(system(), [only], () => newChannel(ann))

      expect(events.map(({ type }) => type)).toEqual(['message'])
    })
  })

  describe('a new public channel', () => {
    test('is delivered to everyone, as are its subscribers', async () => {
      const name = newChannelName()
      const events = await eventsDuring(() =>
        ann.call(subscribe, {
          subscriptions: [{ name, description: 'new' }],
          principals: [ann.userId, ben.userId],
        }),
      )

      const created = {
        type: 'stream',
        op: 'create',
        streams: [
          {
            name,
            description: 'new',
            creator_id: ann.userId,
            invite_only: false,
            stream_weekly_traffic: null,
          },
        ],
      }
      const stream_id = streamIdIn(events.ann)
      const added = {
        type: 'subscription',
        op: 'add',
        subscriptions: [{ stream_id, name, in_home_view: true }],
      }
      const peers = {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [stream_id],
        user_ids: [ann.userId, ben.userId],
      }
      const notice = { type: 'message', message: { stream_id, subject: 'stream events' } }
      expect(events.ann).toMatchObject([created, added, { ...notice, flags: ['read'] }])
      expect(events.ben).toMatchObject([created, added, { ...notice, flags: [] }])
      expect(events.cem).toMatchObject([created, peers])
      expect(events.owner).toMatchObject([created, peers])
      expect(subscriptionIn(events.ann)).not.toHaveProperty('subscribers')
    })

    test('is delivered before its first message', async () => {
      const { ann: events } = await eventsDuring(() => createChannel(ann))

      const { id } = (events.at(-1) as ClientEvent)['message'] as { id: number }
      expect(events).toMatchObject([
        { type: 'stream', op: 'create', streams: [{ first_message_id: id }] },
        { type: 'subscription', op: 'add', subscriptions: [{ first_message_id: id }] },
        { type: 'message' },
      ])
    })

    test('is delivered with its subscribers to clients that request them', async () => {
      const detailed = await open(ann, { include_subscribers: true })
      const [events = []] = await eventsOf(system(), [detailed], () => createChannel(ann, { others: [ben] }))

      expect(subscriptionIn(events)).toMatchObject({ subscribers: [ann.userId, ben.userId] })
    })
  })

  describe('a new private channel', () => {
    test('is delivered to its subscribers and to administrators', async () => {
      const events = await eventsDuring(() => createChannel(ann, { isPrivate: true, others: [ben] }))

      const stream_id = streamIdIn(events.ann)
      const created = { type: 'stream', op: 'create', streams: [{ stream_id, invite_only: true }] }
      for (const list of [events.ann, events.ben]) {
        expect(list).toMatchObject([created, { type: 'subscription', op: 'add' }, { type: 'message' }])
      }
      expect(events.owner).toMatchObject([
        created,
        { type: 'subscription', op: 'peer_add', stream_ids: [stream_id] },
      ])
      expect(events.cem).toEqual([])
    })

    test('appears to a user who is added later, and disappears for a user who leaves', async () => {
      const { name, id } = await newChannel(ann, { isPrivate: true, others: [ben] })
      const stream = { streams: [{ stream_id: id, name }] }
      const peers = { type: 'subscription', stream_ids: [id], user_ids: [cem.userId] }

      const added = await eventsDuring(() =>
        ann.call(subscribe, { subscriptions: [{ name }], principals: [cem.userId] }),
      )
      const removed = await eventsDuring(() => cem.call(unsubscribe, { subscriptions: [name] }))

      expect(added.cem).toMatchObject([
        { type: 'stream', op: 'create', ...stream },
        { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id }] },
        // From the notification bot, about the user who did it.
        { type: 'message', message: { type: 'private' } },
      ])
      expect(removed.cem).toMatchObject([
        { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name }] },
        { type: 'stream', op: 'delete', ...stream },
      ])
      for (const who of ['ann', 'ben', 'owner'] as const) {
        expect(added[who]).toMatchObject([{ ...peers, op: 'peer_add' }])
        expect(removed[who]).toMatchObject([{ ...peers, op: 'peer_remove' }])
      }
    })
  })

  describe('a private channel that its last subscriber leaves', () => {
    test('stays for administrators, also its own', async () => {
      const { name, id } = await newChannel(ann, { isPrivate: true })

      const events = await eventsDuring(() => ann.call(unsubscribe, { subscriptions: [name] }))

      expect(events.ann).toMatchObject([
        { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name }] },
      ])
      expect(events.owner).toMatchObject([
        { type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [ann.userId] },
      ])
      expect(events.cem).toEqual([])
    })
  })

  describe('leaving a public channel', () => {
    test('is delivered to the user who left and to everyone else, and stops messages', async () => {
      const { name, id } = await newChannel(ann, { others: [ben] })
      const events = await eventsDuring(() => ben.call(unsubscribe, { subscriptions: [name] }))
      const after = await eventsDuring(() => sendToChannel(ann, name))

      const peers = { type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [ben.userId] }
      expect(events.ben).toMatchObject([
        { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name }] },
      ])
      for (const who of ['ann', 'cem', 'owner'] as const) expect(events[who]).toMatchObject([peers])
      expect(messagesIn(after.ann)).toHaveLength(1)
      expect(after.ben).toEqual([])
    })

    test('changes nothing the second time', async () => {
      const { name } = await newChannel(ann)

      const events = await eventsDuring(async () => {
        await ben.call(unsubscribe, { subscriptions: [name] })
        await ann.call(subscribe, { subscriptions: [{ name }] })
      })

      expect(events).toEqual({ ann: [], ben: [], cem: [], owner: [] })
    })
  })

  describe('a new user', () => {
    test('is delivered to everyone in full', async () => {
      const [anns, , , owners] = watchers as [Watcher, Watcher, Watcher, Watcher]
      const created = await system().createUser('Newly Arrived')

      for (const { queue } of [anns, owners]) {
        const event = await queue.waitFor(
          ({ type, person }) =>
            type === 'realm_user' && (person as { user_id: number }).user_id === created.userId,
          'the new user',
        )
        expect(event).toMatchObject({
          op: 'add',
          person: {
            user_id: created.userId,
            email: created.email,
            delivery_email: created.email,
            full_name: 'Newly Arrived',
            role: 400,
            is_active: true,
            is_bot: false,
            profile_data: {},
            avatar_url: expect.stringMatching(/^https:/),
            avatar_version: 1,
          },
        })
      }
    })

    test('is delivered before the subscriptions to the default channels', async () => {
      const { queue } = await open(cem, { event_types: ['realm_user', 'subscription', 'message'] })
      const { userId } = await system().createUser('Early Bird')
      const isJoining = ({ op, user_ids }: ClientEvent) =>
        op === 'peer_add' && (user_ids as number[]).includes(userId)

      await queue.waitFor(isJoining, 'the new user in a channel')

      const order = queue.events.filter((event) => event.type === 'realm_user' || isJoining(event))
      expect(order[0]).toMatchObject({ type: 'realm_user', person: { user_id: userId } })
    })
  })
}

/** A user who starts a topic or is mentioned follows it, and receives that before the message. */
const messagesIn = (events: readonly ClientEvent[]) => events.filter(({ type }) => type === 'message')
const flagsIn = (events: readonly ClientEvent[]): unknown => messagesIn(events)[0]?.['flags']

const subscriptionIn = (events: readonly ClientEvent[]): unknown =>
  (
    events.find(({ type, op }) => type === 'subscription' && op === 'add')?.['subscriptions'] as unknown[]
  )?.[0]

const streamIdIn = (events: readonly ClientEvent[]): number =>
  (events.find(({ type }) => type === 'stream')?.['streams'] as { stream_id: number }[])?.[0]?.stream_id ?? 0
