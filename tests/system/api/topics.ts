import { endpoints, Role } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, say } from '../support/people.ts'
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
    const users = await newUsers(system(), 2)
    ann = users[0] as ApiClient
    ben = users[1] as ApiClient
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
  /** How the client wants to see the topics of a channel. */
  const policiesOf = async (client: ApiClient, stream_id = channel.id) => {
    const state = await stateOf(client, ['user_topic'])
    const topics = state['user_topics'] as { stream_id: number; topic_name: string }[]
    return topics.filter((topic) => topic.stream_id === stream_id)
  }
  const typesOf = (events: readonly { type: string }[] = []) => events.map(({ type }) => type)

  describe('POST /user_topics', () => {
    test.each([
      ['muted', MUTED],
      ['unmuted', UNMUTED],
      ['followed', FOLLOWED],
    ])('makes a topic without messages %s, and tells one’s own clients', async (name, policy) => {
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
    })

    test('removes what was set, without regard to case', async () => {
      await set(MUTED, 'Lunch')

      const [own] = await eventsOf(system(), watchers, () => set(NONE, 'lUNCH'))

      expect(own?.[1]).toMatchObject({ type: 'user_topic', topic_name: 'lUNCH', visibility_policy: NONE })
      expect((await policiesOf(ann)).map(({ topic_name }) => topic_name)).not.toContain('Lunch')
    })

    test('tells all that is muted to clients that know of nothing else', async () => {
      const place = await newChannel(ann)
      await set(MUTED, 'b', ann, place.id)
      const [own] = await eventsOf(system(), watchers, async () => {
        await set(MUTED, 'a', ann, place.id)
        await set(FOLLOWED, 'b', ann, place.id)
      })

      const muted = own
        ?.filter(({ type }) => type === 'muted_topics')
        .map(({ muted_topics }) =>
          (muted_topics as [string, string, number][]).filter(([name]) => name === place.name),
        )
      const since = expect.any(Number)
      expect(muted).toEqual([
        [
          [place.name, 'a', since],
          [place.name, 'b', since],
        ],
        [[place.name, 'a', since]],
      ])
      const state = await stateOf(ann, ['muted_topics'])
      expect(state['muted_topics']).toContainEqual([place.name, 'a', since])
      expect(state).not.toHaveProperty('user_topics')
      expect(await stateOf(ann, ['muted_topics', 'user_topic'])).not.toHaveProperty('muted_topics')
    })

    test('says nothing when nothing changes', async () => {
      await set(FOLLOWED, 'the same')

      const [own] = await eventsOf(system(), watchers, async () => {
        expect(await set(FOLLOWED, 'The Same')).toMatchObject(success())
        expect(await set(NONE, 'never set')).toMatchObject(success())
      })

      expect(own).toEqual([])
    })

    test('takes so many topics and no more, though more come at once', async () => {
      const [cem] = (await newUsers(system(), 1)) as [ApiClient]
      const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
      const insert = (from: number, to: number, policy: number) =>
        db.query(
          `insert into user_topics (user_id, channel_id, topic_key, topic_name, visibility_policy)
           select $1, $2, 'filler ' || n, 'filler ' || n, $3 from generate_series($4::int, $5::int) as n`,
          [cem.userId, channel.id, policy, from, to],
        )
      const tooMuch = (msg: string) => refusal('BAD_REQUEST', { msg })
      // Each in a channel of its own, where none waits for another because of the place.
      const places = [await newChannel(ann), await newChannel(ann), await newChannel(ann), channel]
      const atOnce = async (policy: 1 | 3) => {
        const answers = await Promise.all(places.map(({ id }) => set(policy, `new ${policy}`, cem, id)))
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

    test('keeps the list of the muted right when many are muted at once', async () => {
      const place = await newChannel(ann)
      const topics = Array.from({ length: 12 }, (_, i) => `topic ${i}`)

      const [own] = await eventsOf(system(), watchers, () =>
        Promise.all(topics.map((topic) => set(MUTED, topic, ann, place.id))),
      )

      const lengths = own
        ?.filter(({ type }) => type === 'muted_topics')
        .map(
          ({ muted_topics }) => (muted_topics as unknown[][]).filter(([name]) => name === place.name).length,
        )
      expect(lengths).toEqual(topics.map((_, index) => index + 1))
    })

    test('needs access to set something, but none to remove it', async () => {
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
    ] as const)('of %s (%i) who is not in a channel, private: %s', async (_, role, isPrivate, expected) => {
      const client = await system().createUser(undefined, { role })
      const place = await newChannel(ann, { isPrivate })

      expect(await set(MUTED, 'x', client, place.id)).toMatchObject(expected)
    })

    test.each([
      ['a channel that does not exist', { stream_id: '999999999' }],
      ['a channel that does not exist, to remove', { stream_id: '999999999', visibility_policy: '0' }],
      ['a topic that is too long', { topic: 'x'.repeat(61) }],
      ['no topic', { topic: ' ' }],
      ['a policy that is none', { visibility_policy: '4' }],
    ])('refuses %s', async (_, changes) => {
      const fields = { stream_id: String(channel.id), topic: 'x', visibility_policy: '1', ...changes }

      expect(await ann.request('POST', '/user_topics', Object.entries(fields))).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('a channel that goes out of sight', () => {
    const mutedOf = async (client: ApiClient) =>
      (await stateOf(client, ['muted_topics']))['muted_topics'] as [string, string, number][]
    const namesOf = (muted: unknown) =>
      (muted as [string, string][]).map(([name, topic]) => `${name}>${topic}`)
    const change = (place: { id: number }, input: object) =>
      system().owner.call(updateChannel, { stream_id: place.id, ...input })
    const take = (name: string, client: ApiClient) =>
      ann.call(subscribe, { subscriptions: [{ name }], principals: [client.userId] })
    const leave = (client: ApiClient, name: string) => client.call(unsubscribe, { subscriptions: [name] })
    /** What comes of topics, and of channels' coming and going. */
    const briefly = (events: readonly ClientEvent[] = []) =>
      events.flatMap(({ type, op, topic_name, visibility_policy, muted_topics }) => {
        if (type === 'muted_topics') return [`muted: ${namesOf(muted_topics).join()}`]
        if (type === 'user_topic') return [`${topic_name} is ${visibility_policy}`]
        return type === 'stream' || type === 'subscription' ? [`${type} ${op}`] : []
      })

    test('takes what one has set for its topics along, whatever it is called later, and brings it back', async () => {
      const [cy] = (await newUsers(system(), 1)) as [ApiClient]
      const place = await newChannel(ann, { others: [cy], isPrivate: true })
      const open = await newChannel(ann)
      await set(MUTED, 'kept', cy, open.id)
      await set(MUTED, 'noise', cy, place.id)
      await set(FOLLOWED, 'signal', cy, place.id)
      const cys = [await watch(cy), await watch(cy, { event_types: ['message', 'user_topic'] })]
      const told = async (act: () => Promise<unknown>) =>
        (await eventsOf(system(), cys, act)).map((events) => briefly(events))
      const kept = `${open.name}>kept`

      expect(await told(() => leave(cy, place.name))).toEqual([
        ['subscription remove', 'stream delete', `muted: ${kept}`],
        [],
      ])
      expect(namesOf(await mutedOf(cy))).toEqual([kept])
      expect(await policiesOf(cy, place.id)).toEqual([])

      const renamed = `${place.name} secretly`
      const unseen = await told(async () => {
        await change(place, { new_name: renamed })
        // Taking away needs no access, and tells nothing of what isn't seen.
        await set(NONE, 'noise', cy, place.id)
        await set(MUTED, 'more', cy, open.id)
      })
      expect(unseen).toEqual([[`muted: ${kept},${open.name}>more`, 'more is 1'], ['more is 1']])

      const back = await told(() => take(renamed, cy))
      expect(back).toEqual([['stream create', 'subscription add', 'signal is 3'], ['signal is 3']])
      expect(await policiesOf(cy, place.id)).toMatchObject([
        { topic_name: 'signal', visibility_policy: FOLLOWED },
      ])
      await stopWatching(cys)
    })

    test('and one that is renamed, opened or archived, tells anew what is muted', async () => {
      const [cy] = (await newUsers(system(), 1)) as [ApiClient]
      const place = await newChannel(ann, { others: [cy, system().owner], isPrivate: true })
      await set(MUTED, 'noise', cy, place.id)
      const cys = [await watch(cy)]
      const told = async (act: () => Promise<unknown>) => briefly((await eventsOf(system(), cys, act))[0])
      const renamed = `${place.name} again`

      expect(await told(() => change(place, { new_name: renamed }))).toEqual([
        'stream update',
        `muted: ${renamed}>noise`,
      ])
      await told(() => leave(cy, renamed))
      expect(await told(() => change(place, { is_private: false }))).toEqual([
        'stream create',
        'subscription peer_add',
        `muted: ${renamed}>noise`,
        'noise is 1',
      ])
      expect(await told(() => change(place, { is_private: true }))).toEqual(['stream delete', 'muted: '])
      await take(renamed, cy)
      expect(await told(() => system().owner.call(archiveChannel, { stream_id: place.id }))).toEqual([
        'stream delete',
        'muted: ',
      ])
      await stopWatching(cys)
    })
  })

  describe('PATCH /users/me/subscriptions/muted_topics', () => {
    test.each([
      ['ID', () => ({ stream_id: channel.id })],
      ['name', () => ({ stream: channel.name.toUpperCase() })],
    ])('mutes and ends that, by the %s of the channel', async (name, place) => {
      const topic = `muted by ${name}`
      await ann.call(muteTopic, { ...place(), topic, op: 'add' })
      expect(await policiesOf(ann)).toContainEqual(
        expect.objectContaining({ topic_name: topic, visibility_policy: MUTED }),
      )

      await ann.call(muteTopic, { ...place(), topic, op: 'remove' })
      expect((await policiesOf(ann)).map(({ topic_name }) => topic_name)).not.toContain(topic)
    })

    test('tells nobody whether a hidden channel is there', async () => {
      const hidden = await newChannel(ben, { isPrivate: true })
      const removing = (stream: string) => ann.send(muteTopic, { stream, topic: 'x', op: 'remove' })

      const { body } = await removing(hidden.name)
      expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: `Invalid channel name '${hidden.name}'` })
      expect((await removing('nowhere')).body).toMatchObject({ code: 'BAD_REQUEST' })
    })

    test('takes exactly one channel', async () => {
      for (const place of [
        {},
        { stream_id: channel.id, stream: channel.name },
        { stream: 'no such channel' },
      ]) {
        const answer = await ann.send(muteTopic, { ...place, topic: 'x', op: 'add' })
        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      }
    })
  })

  describe('being mentioned', () => {
    test('makes one follow the topic, before the message comes', async () => {
      const place = await newChannel(ann, { others: [ben] })
      await say(ann, place.name, 'x', 'news')

      const [, , bens] = await eventsOf(system(), watchers, () =>
        say(ann, place.name, `@**|${ben.userId}** look`, 'news'),
      )

      expect(typesOf(bens)).toEqual(['muted_topics', 'user_topic', 'message'])
      expect(await policiesOf(ben, place.id)).toMatchObject([
        { topic_name: 'news', visibility_policy: FOLLOWED },
      ])
    })

    test('changes nothing for who has muted the topic', async () => {
      const place = await newChannel(ann, { others: [ben] })
      await set(MUTED, 'news', ben, place.id)

      await say(ann, place.name, `@**|${ben.userId}** look`, 'news')

      expect(await policiesOf(ben, place.id)).toMatchObject([{ visibility_policy: MUTED }])
    })
  })
}
