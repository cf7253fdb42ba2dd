import { endpoints, Role } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { archiveChannel, muteTopic, subscribe, unsubscribe, updateChannel, updateUserTopic } =
  endpoints.messaging
const [NONE, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3] as const

export const topicTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let watchers: Watcher[]
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    channel = await newChannel(ann)
    watchers = [
      await watch(ann),
      await watch(ann, { event_types: ['message', 'user_topic', 'muted_topics'] }),
      await watch(ben),
    ]
  })
  afterAll(() => stopWatching(watchers))

  const set = (visibility_policy: 0 | 1 | 2 | 3, topic: string, client = ann, stream_id = channel.id) =>
    client.send(updateUserTopic, { stream_id, topic, visibility_policy })
  const stateOf = (client: ApiClient, fetch_event_types: string[]) =>
    client.call(endpoints.events.register, { fetch_event_types })
  /** The client's visibility policies for topics of a channel. */
  const policiesOf = async (client: ApiClient, stream_id = channel.id) => {
    const state = await stateOf(client, ['user_topic'])
    const topics = state['user_topics'] as { stream_id: number; topic_name: string }[]
    return topics.filter((topic) => topic.stream_id === stream_id)
  }
  const typesOf = (events: readonly { type: string }[] = []) => events.map(({ type }) => type)

  describe('muting and unread mentions by wildcard', () => {
    const { getMessages, updateSubscriptionSettings } = endpoints.messaging
    type Unread = {
      mentions: number[]
      streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
    }
    const unreadOf = async (client: ApiClient) =>
      (await stateOf(client, ['message', 'update_message_flags']))['unread_msgs'] as Unread

    test('the flags of unread messages tell what (un)muting changes in the list of mentions', async () => {
      const { name, id } = await newChannel(ann, { others: [ben] })
      const mention = await sendToChannel(ann, name, '@**all** look', 'loud')
      const plain = await sendToChannel(ann, name, 'quiet', 'loud')
      const byName = await sendToChannel(
        ann,
        name,
        `@**${(await ben.call(endpoints.users.getOwnUser, {})).full_name}**`,
        'loud',
      )
      /** Applies an event as the document for clients says, with the flags of all unread messages of the topic or channel. */
      const derive = async ({ mentions, streams }: Unread, isMuted: boolean): Promise<number[]> => {
        const ids = streams.find(({ stream_id }) => stream_id === id)?.unread_message_ids ?? []
        const { messages } = await ben.call(getMessages, { message_ids: ids })
        const wild = messages.filter(({ flags }) => flags.includes('wildcard_mentioned')).map((one) => one.id)
        const direct = messages.filter(({ flags }) => flags.includes('mentioned')).map((one) => one.id)
        const others = mentions.filter((one) => !wild.includes(one) || direct.includes(one))
        return [...others, ...(isMuted ? [] : wild)].sort((one, other) => one - other)
      }
      const muteChannel = (value: boolean) =>
        ben.call(updateSubscriptionSettings, {
          subscription_data: [{ stream_id: id, property: 'is_muted', value }],
        })
      const steps: [() => Promise<unknown>, boolean][] = [
        [() => set(MUTED, 'loud', ben, id), true],
        [() => set(NONE, 'loud', ben, id), false],
        [() => muteChannel(true), true],
        [() => set(FOLLOWED, 'loud', ben, id), false],
        [() => set(NONE, 'loud', ben, id), true],
        [() => muteChannel(false), false],
      ]
      for (const [change, isMuted] of steps) {
        const before = await unreadOf(ben)
        await change()
        const { mentions } = await unreadOf(ben)

        expect(mentions.includes(mention)).toBe(!isMuted)
        expect(mentions).toContain(byName)
        expect(mentions).not.toContain(plain)
        expect(mentions).toEqual(await derive(before, isMuted))
      }
    })
  })

  describe('POST /user_topics', () => {
    test.each([
      ['muted', MUTED],
      ['unmuted', UNMUTED],
      ['followed', FOLLOWED],
    ])(
      'sets a topic without messages to %s, and delivers it to the user’s own clients',
      async (name, policy) => {
        const topic = `to be ${name}`

        const [own, namingBoth, bens] = await eventsOf(system(), watchers, async () => {
          expect(await set(policy, topic)).toMatchObject(success())
        })

        const expected = {
          type: 'user_topic',
          stream_id: channel.id,
          topic_name: topic,
          visibility_policy: policy,
          last_updated: expect.any(Number),
        }
        expect(typesOf(own)).toEqual(['muted_topics', 'user_topic'])
        expect(own?.[1]).toEqual({ id: expect.any(Number), ...expected })
        expect(namingBoth).toEqual([own?.[1]])
        expect(bens).toEqual([])
        const { type: _, ...inState } = expected
        expect(await policiesOf(ann)).toContainEqual(inState)
      },
    )

    test('removes a setting regardless of case', async () => {
      await set(MUTED, 'Lunch')

      const [own] = await eventsOf(system(), watchers, () => set(NONE, 'lUNCH'))

      expect(own?.[1]).toMatchObject({ type: 'user_topic', topic_name: 'lUNCH', visibility_policy: NONE })
      expect((await policiesOf(ann)).map(({ topic_name }) => topic_name)).not.toContain('Lunch')
    })

    test('delivers all muted topics to older clients', async () => {
      const ownChannel = await newChannel(ann)
      await set(MUTED, 'b', ann, ownChannel.id)
      const [own] = await eventsOf(system(), watchers, async () => {
        await set(MUTED, 'a', ann, ownChannel.id)
        await set(FOLLOWED, 'b', ann, ownChannel.id)
      })

      const muted = own
        ?.filter(({ type }) => type === 'muted_topics')
        .map(({ muted_topics }) =>
          (muted_topics as [string, string, number][]).filter(([name]) => name === ownChannel.name),
        )
      const since = expect.any(Number)
      expect(muted).toEqual([
        [
          [ownChannel.name, 'a', since],
          [ownChannel.name, 'b', since],
        ],
        [[ownChannel.name, 'a', since]],
      ])
      const state = await stateOf(ann, ['muted_topics'])
      expect(state['muted_topics']).toContainEqual([ownChannel.name, 'a', since])
      expect(state).not.toHaveProperty('user_topics')
      expect(await stateOf(ann, ['muted_topics', 'user_topic'])).not.toHaveProperty('muted_topics')
    })

    test('delivers nothing if nothing changes', async () => {
      await set(FOLLOWED, 'the same')

      const [own] = await eventsOf(system(), watchers, async () => {
        expect(await set(FOLLOWED, 'The Same')).toMatchObject(success())
        expect(await set(NONE, 'never set')).toMatchObject(success())
      })

      expect(own).toEqual([])
    })

    test('limits the number of topics, even under concurrent requests', async () => {
      const [cem] = await newUsers(system(), 1)
      const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
      const insert = (from: number, to: number, policy: number) =>
        db.query(
          `insert into user_topics (user_id, channel_id, topic_key, topic_name, visibility_policy)
           select $1, $2, 'filler ' || n, 'filler ' || n, $3 from generate_series($4::int, $5::int) as n`,
          [cem.userId, channel.id, policy, from, to],
        )
      const tooMuch = (msg: string) => refusal('BAD_REQUEST', { msg })
      // Each in a separate channel, where none waits for another because of the topic.
      const channels = [await newChannel(ann), await newChannel(ann), await newChannel(ann), channel]
      const atOnce = async (policy: 1 | 3) => {
        const answers = await Promise.all(channels.map(({ id }) => set(policy, `new ${policy}`, cem, id)))
        return answers.filter(({ status }) => status === 200).length
      }

      await insert(1, 1_999, MUTED)
      expect(await atOnce(MUTED)).toBe(1)
      expect(await set(MUTED, 'more', cem)).toMatchObject(tooMuch('You can mute at most 2000 topics'))
      await insert(2_000, 9_998, FOLLOWED)
      await db.end()
      expect(await atOnce(FOLLOWED)).toBe(1)
      expect(await set(FOLLOWED, 'more', cem)).toMatchObject(
        tooMuch('You can choose how you see at most 10000 topics'),
      )
      expect((await stateOf(cem, ['user_topic']))['user_topics']).toHaveLength(10_000)

      expect(await set(UNMUTED, 'Filler 1', cem)).toMatchObject(success())
      expect(await set(NONE, 'filler 2', cem)).toMatchObject(success())
      expect(await set(MUTED, 'more', cem)).toMatchObject(success())
    })

    test('keeps the list of muted topics correct under concurrent requests', async () => {
      const ownChannel = await newChannel(ann)
      const topics = Array.from({ length: 12 }, (_, i) => `topic ${i}`)

      const [own] = await eventsOf(system(), watchers, () =>
        Promise.all(topics.map((topic) => set(MUTED, topic, ann, ownChannel.id))),
      )

      const lengths = own
        ?.filter(({ type }) => type === 'muted_topics')
        .map(
          ({ muted_topics }) =>
            (muted_topics as unknown[][]).filter(([name]) => name === ownChannel.name).length,
        )
      expect(lengths).toEqual(topics.map((_, index) => index + 1))
    })

    test('requires access to add a setting, but none to remove it', async () => {
      const hidden = await newChannel(ann, { others: [ben], isPrivate: true })
      expect(await set(MUTED, 'x', ben, hidden.id)).toMatchObject(success())
      await ben.call(unsubscribe, { subscriptions: [hidden.name] })

      expect(await set(FOLLOWED, 'x', ben, hidden.id)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await set(NONE, 'x', ben, hidden.id)).toMatchObject(success())
      expect(await policiesOf(ben, hidden.id)).toEqual([])
    })

    test.each([
      ['an owner', Role.owner, true, refusal('BAD_REQUEST')],
      ['an owner', Role.owner, false, success()],
      ['a member', Role.member, true, refusal('BAD_REQUEST')],
      ['a member', Role.member, false, success()],
      ['a guest', Role.guest, false, refusal('BAD_REQUEST')],
    ] as const)('of %s (%i) without subscription, private: %s', async (_, role, isPrivate, expected) => {
      const client = await system().createUser(undefined, { role })
      const ownChannel = await newChannel(ann, { isPrivate })

      expect(await set(MUTED, 'x', client, ownChannel.id)).toMatchObject(expected)
    })

    test.each([
      ['a channel that does not exist', { stream_id: '999999999' }],
      ['a channel that does not exist, to remove', { stream_id: '999999999', visibility_policy: '0' }],
      ['a topic that is too long', { topic: 'x'.repeat(61) }],
      ['a policy that is none', { visibility_policy: '4' }],
    ])('rejects %s', async (_, changes) => {
      const fields = { stream_id: String(channel.id), topic: 'x', visibility_policy: '1', ...changes }

      expect(await ann.request('POST', '/user_topics', Object.entries(fields))).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('a channel that becomes invisible to a user', () => {
    const mutedOf = async (client: ApiClient) =>
      (await stateOf(client, ['muted_topics']))['muted_topics'] as [string, string, number][]
    const namesOf = (muted: unknown) =>
      (muted as [string, string][]).map(([name, topic]) => `${name}>${topic}`)
    const change = (ownChannel: { id: number }, input: object) =>
      system().owner.call(updateChannel, { stream_id: ownChannel.id, ...input })
    const add = (name: string, client: ApiClient) =>
      ann.call(subscribe, { subscriptions: [{ name }], principals: [client.userId] })
    const leave = (client: ApiClient, name: string) => client.call(unsubscribe, { subscriptions: [name] })
    /** Events of topics, and of channels that appear and disappear. */
    const briefly = (events: readonly ClientEvent[] = []) =>
      events.flatMap(({ type, op, topic_name, visibility_policy, muted_topics }) => {
        if (type === 'muted_topics') return [`muted: ${namesOf(muted_topics).join()}`]
        if (type === 'user_topic') return [`${topic_name} is ${visibility_policy}`]
        return type === 'stream' || type === 'subscription' ? [`${type} ${op}`] : []
      })

    test('hides the user’s topic settings, and restores them under any name', async () => {
      const [cy] = await newUsers(system(), 1)
      const ownChannel = await newChannel(ann, { others: [cy], isPrivate: true })
      const open = await newChannel(ann)
      await set(MUTED, 'kept', cy, open.id)
      await set(MUTED, 'noise', cy, ownChannel.id)
      await set(FOLLOWED, 'signal', cy, ownChannel.id)
      const cys = [await watch(cy), await watch(cy, { event_types: ['message', 'user_topic'] })]
      const eventsDuring = async (act: () => Promise<unknown>) =>
        (await eventsOf(system(), cys, act)).map((events) => briefly(events))
      const kept = `${open.name}>kept`

      expect(await eventsDuring(() => leave(cy, ownChannel.name))).toEqual([
        ['subscription remove', 'stream delete', `muted: ${kept}`],
        [],
      ])
      expect(namesOf(await mutedOf(cy))).toEqual([kept])
      expect(await policiesOf(cy, ownChannel.id)).toEqual([])

      const renamed = `${ownChannel.name} secretly`
      const unseen = await eventsDuring(async () => {
        await change(ownChannel, { new_name: renamed })
        // Removing a setting needs no access, and reveals nothing.
        await set(NONE, 'noise', cy, ownChannel.id)
        await set(MUTED, 'more', cy, open.id)
      })
      expect(unseen).toEqual([[`muted: ${kept},${open.name}>more`, 'more is 1'], ['more is 1']])

      const back = await eventsDuring(() => add(renamed, cy))
      expect(back).toEqual([['stream create', 'subscription add', 'signal is 3'], ['signal is 3']])
      expect(await policiesOf(cy, ownChannel.id)).toMatchObject([
        { topic_name: 'signal', visibility_policy: FOLLOWED },
      ])
      await stopWatching(cys)
    })

    test('and one that is renamed, opened or archived, delivers the muted topics again', async () => {
      const [cy] = await newUsers(system(), 1)
      const ownChannel = await newChannel(ann, { others: [cy, system().owner], isPrivate: true })
      await set(MUTED, 'noise', cy, ownChannel.id)
      const cys = [await watch(cy)]
      const eventsDuring = async (act: () => Promise<unknown>) =>
        briefly((await eventsOf(system(), cys, act))[0])
      const renamed = `${ownChannel.name} again`

      expect(await eventsDuring(() => change(ownChannel, { new_name: renamed }))).toEqual([
        'stream update',
        `muted: ${renamed}>noise`,
      ])
      await eventsDuring(() => leave(cy, renamed))
      expect(await eventsDuring(() => change(ownChannel, { is_private: false }))).toEqual([
        'stream create',
        'subscription peer_add',
        `muted: ${renamed}>noise`,
        'noise is 1',
      ])
      expect(await eventsDuring(() => change(ownChannel, { is_private: true }))).toEqual([
        'stream delete',
        'muted: ',
      ])
      await add(renamed, cy)
      expect(
        await eventsDuring(() => system().owner.call(archiveChannel, { stream_id: ownChannel.id })),
      ).toEqual(['stream delete', 'muted: '])
      await stopWatching(cys)
    })
  })

  describe('PATCH /users/me/subscriptions/muted_topics', () => {
    test.each([
      ['ID', () => ({ stream_id: channel.id })],
      ['name', () => ({ stream: channel.name.toUpperCase() })],
    ])('mutes and unmutes by the %s of the channel', async (name, ownChannel) => {
      const topic = `muted by ${name}`
      await ann.call(muteTopic, { ...ownChannel(), topic, op: 'add' })
      expect(await policiesOf(ann)).toContainEqual(
        expect.objectContaining({ topic_name: topic, visibility_policy: MUTED }),
      )

      await ann.call(muteTopic, { ...ownChannel(), topic, op: 'remove' })
      expect((await policiesOf(ann)).map(({ topic_name }) => topic_name)).not.toContain(topic)
    })

    test('does not reveal whether a hidden channel exists', async () => {
      const hidden = await newChannel(ben, { isPrivate: true })
      const removing = (stream: string) => ann.send(muteTopic, { stream, topic: 'x', op: 'remove' })

      const { body } = await removing(hidden.name)
      expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: `Invalid channel name '${hidden.name}'` })
      expect((await removing('nowhere')).body).toMatchObject({ code: 'BAD_REQUEST' })
    })

    test('requires exactly one channel', async () => {
      for (const ownChannel of [
        {},
        { stream_id: channel.id, stream: channel.name },
        { stream: 'no such channel' },
      ]) {
        const answer = await ann.send(muteTopic, { ...ownChannel, topic: 'x', op: 'add' })
        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      }
    })
  })

  describe('being mentioned', () => {
    test('makes the user follow the topic, before the message arrives', async () => {
      const ownChannel = await newChannel(ann, { others: [ben] })
      await sendToChannel(ann, ownChannel.name, 'x', 'news')

      const [, , bens] = await eventsOf(system(), watchers, () =>
        sendToChannel(ann, ownChannel.name, `@**|${ben.userId}** look`, 'news'),
      )

      expect(typesOf(bens)).toEqual(['muted_topics', 'user_topic', 'message'])
      expect(await policiesOf(ben, ownChannel.id)).toMatchObject([
        { topic_name: 'news', visibility_policy: FOLLOWED },
      ])
    })

    test('changes nothing for a user who muted the topic', async () => {
      const ownChannel = await newChannel(ann, { others: [ben] })
      await set(MUTED, 'news', ben, ownChannel.id)

      await sendToChannel(ann, ownChannel.name, `@**|${ben.userId}** look`, 'news')

      expect(await policiesOf(ben, ownChannel.id)).toMatchObject([{ visibility_policy: MUTED }])
    })
  })
}
