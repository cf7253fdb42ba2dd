import { endpoints, Role } from '@tms/contracts'
import {
  type Answer,
  type ApiClient,
  type ClientEvent,
  type EventQueue,
  registerQueue,
  type TestSystem,
} from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { until } from '../support/until.ts'
import {
  createChannel,
  newChannel,
  newUserOfRole,
  newUsers,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { inUsersDatabase } from '../support/users-database.ts'

const { deactivateUser, reactivateUser, updateUser } = endpoints.users
const { getEvents } = endpoints.events
const { listSubscribers, sendMessage, subscribe, updateUserTopic } = endpoints.messaging
/** The maximum time until a pending poll of a deactivated user ends. */
const SOON_MS = 1_000

/** What a role change or deactivation means for live queues, of the same user and of others. */
export const roleChangeTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let watching: EventQueue[] = []
  beforeAll(() => {
    owner = system().owner
  })
  afterEach(async () => {
    await Promise.all(watching.map((queue) => queue.stop()))
    watching = []
  })
  const follow = async (client: ApiClient, fetch_event_types?: string[]): Promise<EventQueue> => {
    const queue = await registerQueue(client, fetch_event_types ? { fetch_event_types } : {})
    watching.push(queue)
    return queue.follow()
  }
  const setRole = ({ userId }: ApiClient, role: Role) => owner.call(updateUser, { user_id: userId, role })
  const personOf = ({ type, op, person }: ClientEvent) =>
    type === 'realm_user' && op === 'update' ? (person as Record<string, unknown>) : null
  const isRoleUpdate =
    ({ userId }: ApiClient, role: number) =>
    (event: ClientEvent) =>
      personOf(event)?.['user_id'] === userId && personOf(event)?.['role'] === role
  const isActivityUpdate =
    ({ userId }: ApiClient, isActive: boolean) =>
    (event: ClientEvent) =>
      personOf(event)?.['user_id'] === userId && personOf(event)?.['is_active'] === isActive
  const isChannelEvent = (op: 'create' | 'delete', channelId: number) => (event: ClientEvent) =>
    event.type === 'stream' &&
    event['op'] === op &&
    (event['streams'] as { stream_id: number }[]).some(({ stream_id }) => stream_id === channelId)
  const isPeerEvent =
    (op: 'peer_add' | 'peer_remove', channelId: number, userId: number) => (event: ClientEvent) =>
      event.type === 'subscription' &&
      event['op'] === op &&
      (event['stream_ids'] as number[]).includes(channelId) &&
      (event['user_ids'] as number[]).includes(userId)

  describe('a role change during the life of a queue', () => {
    test('is delivered to everyone', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const guestWatching = await newUserOfRole(system(), Role.guest)
      const queues = await Promise.all([ann, ben, owner, guestWatching].map((client) => follow(client)))

      await owner.call(updateUser, { user_id: ben.userId, role: Role.moderator, full_name: 'Ben Anew' })

      for (const queue of queues) {
        await queue.waitFor(isRoleUpdate(ben, Role.moderator), 'the role')
        const names = queue.events.map(personOf).flatMap((person) => person?.['full_name'] ?? [])
        expect(names).toEqual(['Ben Anew'])
      }
    })

    test.each<[string, string[] | undefined]>([
      ['with all the state', undefined],
      ['with none', []],
    ])('shows and hides private channels, with their subscribers, for a queue %s', async (_, fetchTypes) => {
      const [ann, ben] = await newUsers(system(), 2)
      const secret = await createChannel(ann, { isPrivate: true })
      const queue = await follow(ben, fetchTypes)

      await setRole(ben, Role.administrator)
      await queue.waitFor(isChannelEvent('create', secret.id), 'the private channel')
      await queue.waitFor(isPeerEvent('peer_add', secret.id, ann.userId), 'who is in it')
      const another = await createChannel(ann, { isPrivate: true })
      await queue.waitFor(isChannelEvent('create', another.id), 'a new private channel')
      await setRole(ben, Role.member)
      await queue.waitFor(isChannelEvent('delete', secret.id), 'the private channel going')
      await queue.waitFor(isChannelEvent('delete', another.id), 'the other going')
      const third = await createChannel(ann, { isPrivate: true })
      const open = await createChannel(ann)
      await queue.waitFor(isChannelEvent('create', open.id), 'a public channel')

      expect(queue.events.filter(isChannelEvent('create', third.id))).toEqual([])
      expect(queue.events.filter(isChannelEvent('create', secret.id))).toHaveLength(1)
    })

    test('hides public channels from a new guest, except the subscribed ones', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const joined = await newChannel(ann, { others: [ben] })
      const seen = await createChannel(ann)
      const queue = await follow(ben)

      await setRole(ben, Role.guest)
      await queue.waitFor(isChannelEvent('delete', seen.id), 'the channel going')
      await queue.waitFor(
        ({ type, default_streams }) =>
          type === 'default_streams' && (default_streams as unknown[]).length === 0,
        'the default channels going',
      )
      const hidden = await createChannel(ann)
      await sendToChannel(ann, joined.name, 'still here')
      await queue.waitFor(({ type }) => type === 'message', 'a message in the channel that stays')
      expect(queue.events.filter(isChannelEvent('create', hidden.id))).toEqual([])
      expect(queue.events.filter(isChannelEvent('delete', joined.id))).toEqual([])
      const asGuest = (await registerQueue(ben)).state['streams'] as { stream_id: number }[]
      expect(asGuest.map(({ stream_id }) => stream_id)).not.toContain(seen.id)

      await setRole(ben, Role.member)
      for (const { id } of [seen, hidden])
        await queue.waitFor(isChannelEvent('create', id), 'a channel coming back')
      await queue.waitFor(
        ({ type, default_streams }) =>
          type === 'default_streams' && (default_streams as unknown[]).length > 0,
        'the default channels',
      )
    })

    test('hides the topic settings of hidden channels from a guest, and restores them', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const seen = await createChannel(ann)
      const setting = { stream_id: seen.id, topic: 'noise', visibility_policy: 1 } as const
      await ben.call(updateUserTopic, setting)
      const queue = await follow(ben)
      const named = ({ type, muted_topics }: ClientEvent) =>
        type === 'muted_topics' ? [(muted_topics as [string, string][]).map(([name]) => name)] : []

      await setRole(ben, Role.guest)
      await queue.waitFor((event) => named(event).length > 0, 'the list without it')
      const { state } = await registerQueue(ben)
      expect(state).toMatchObject({ user_topics: [], muted_topics: [] })

      await setRole(ben, Role.member)
      await queue.waitFor(({ type }) => type === 'user_topic', 'the topic')
      expect(queue.events.flatMap(named)).toEqual([[], [seen.name]])
      const topics = queue.events.filter(({ type }) => type === 'user_topic')
      expect(topics.at(-1)).toMatchObject({ topic_name: 'noise', visibility_policy: 1 })
    })
  })

  test('a role change grants and revokes access to addresses', async () => {
    const [ann, ben] = await newUsers(system(), 2)
    const FOR_ADMINISTRATORS = 3
    await inUsersDatabase(system(), (db) =>
      db.query('update accounts set email_address_visibility = $2 where id = $1', [
        ann.userId,
        FOR_ADMINISTRATORS,
      ]),
    )
    const queue = await follow(ben)
    const isAddressUpdate = (delivery_email: string | null) => (event: ClientEvent) =>
      personOf(event)?.['user_id'] === ann.userId && personOf(event)?.['delivery_email'] === delivery_email

    await setRole(ben, Role.administrator)
    await queue.waitFor(isAddressUpdate(ann.email), 'the address')
    await setRole(ben, Role.moderator)
    await queue.waitFor(isAddressUpdate(null), 'the address going')
  })

  describe('someone who is deactivated', () => {
    test('loses all queues: a pending poll ends at once', async () => {
      const [ann] = await newUsers(system(), 1)
      const { queueId, lastEventId } = await registerQueue(ann)
      const poll = { queue_id: queueId, last_event_id: lastEventId }
      const pendingPoll = ann.send(getEvents, poll)
      await waitUntilPending(system())
      const startedAt = Date.now()

      await owner.call(deactivateUser, { user_id: ann.userId })

      expect(await pendingPoll).toMatchObject(refusal('BAD_EVENT_QUEUE_ID', { queue_id: queueId }))
      expect(Date.now() - startedAt).toBeLessThan(SOON_MS)
      await owner.call(reactivateUser, { user_id: ann.userId })
      expect(await ann.send(getEvents, { ...poll, dont_block: true })).toMatchObject(
        refusal('BAD_EVENT_QUEUE_ID'),
      )
      const again = await follow(ann)
      const id = await sendToChannel(owner, 'general', `welcome back, ${ann.userId}`)
      await again.waitFor(({ message }) => (message as { id: number } | undefined)?.id === id, 'a message')
    })

    test('is removed from the subscribers, and added again after reactivation', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const channel = await newChannel(ann, { others: [ben] })
      const others = await Promise.all([ann, owner].map((client) => follow(client)))
      const subscribers = async () =>
        (await ann.call(listSubscribers, { stream_id: channel.id })).subscribers as number[]

      await owner.call(deactivateUser, { user_id: ben.userId })
      expect(await subscribers()).toEqual([ann.userId])
      for (const queue of others) {
        await queue.waitFor(isActivityUpdate(ben, false), 'the deactivation')
        await queue.waitFor(isPeerEvent('peer_remove', channel.id, ben.userId), 'the subscriber going')
      }

      await owner.call(reactivateUser, { user_id: ben.userId })
      expect(await subscribers()).toEqual([ann.userId, ben.userId])
      for (const queue of others) {
        await queue.waitFor(isActivityUpdate(ben, true), 'the reactivation')
        await queue.waitFor(isPeerEvent('peer_add', channel.id, ben.userId), 'the subscriber coming back')
      }
      const { subscriptions } = await ben.call(endpoints.messaging.listSubscriptions, {})
      expect(subscriptions.map(({ stream_id }) => stream_id)).toContain(channel.id)
    })

    test('gets no direct messages and no subscriptions', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const channel = await createChannel(ann)
      await owner.call(deactivateUser, { user_id: ben.userId })

      /** By each replica. */
      const expectRefusals = async (request: () => Promise<Answer>) => {
        for (let turn = 0; turn < 4; turn++) expect(await request()).toMatchObject(refusal('BAD_REQUEST'))
      }
      const direct = { type: 'direct' as const, to: [ben.userId], content: 'are you there' }
      await expectRefusals(() => ann.send(sendMessage, direct))
      const subscription = { subscriptions: [{ name: channel.name }], principals: [ben.userId] }
      await expectRefusals(() => ann.send(subscribe, subscription))
      expect(await ann.send(sendMessage, { type: 'direct', to: [ann.userId], content: 'x' })).toMatchObject(
        success(),
      )
    })
  })
}

/** Until some replica has a pending poll. */
async function waitUntilPending({ system }: TestSystem): Promise<void> {
  await until(async () => {
    const texts = await Promise.all(
      system.urls.events.map(async (url) => (await fetch(`${url}/metrics`)).text()),
    )
    return texts.some((text) => /event_pending_polls\{[^}]*\} [1-9]/.test(text))
  })
}
