import { type EndpointInput, endpoints, type UserGroup } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newGroupName } from '../support/groups.ts'
import { metricOf } from '../support/observe.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

const { deleteEventQueue, getEvents, register } = endpoints.events
const { createUserGroup, deactivateUserGroup } = endpoints.users

/** The initial state for each fetch type, as far as it exists. */
const KEYS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  message: ['max_message_id'],
  subscription: ['subscriptions', 'unsubscribed', 'never_subscribed'],
  stream: ['streams'],
  default_streams: ['realm_default_streams'],
  starred_messages: ['starred_messages'],
  recent_private_conversations: ['recent_private_conversations'],
  realm_user: [
    'realm_users',
    'realm_non_active_users',
    'cross_realm_bots',
    'user_id',
    'email',
    'full_name',
    'is_admin',
  ],
  realm: [
    'realm_name',
    'realm_url',
    'max_message_length',
    'max_topic_length',
    'event_queue_longpoll_timeout_seconds',
  ],
  user_settings: ['user_settings'],
  alert_words: ['alert_words'],
  muted_users: ['muted_users'],
  saved_snippets: ['saved_snippets'],
  device: ['devices'],
  realm_bot: ['realm_bots'],
  realm_user_groups: ['realm_user_groups'],
  realm_user_settings_defaults: ['realm_user_settings_defaults'],
  user_status: ['user_status'],
  presence: ['presences'],
  update_display_settings: ['emojiset_choices'],
  update_global_notifications: ['available_notification_sounds'],
  video_calls: ['has_zoom_token'],
}

export const registerTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
  })

  describe('POST /register', () => {
    test('returns only fields that its documents describe', async () => {
      const names = Object.keys(await ann.call(register, {}))

      expect(names).toContain('emojiset_choices')
      const documented = [...Object.keys(register.response.shape), 'result', 'msg']
      expect(names.filter((name) => !documented.includes(name))).toEqual([])
    })

    test('returns every field once, although the state comes from several services', async () => {
      const text = await (await ann.fetch('/api/v1/register', { method: 'POST' })).text()

      // Fields that occur twice there are removed once they were read.
      expect(JSON.stringify(JSON.parse(text))).toHaveLength(text.length)
    })

    test('returns the same to clients that accept gzip and to others, with long lists that many share', async () => {
      const description = 'ท'.repeat(1_024)
      const names = Array.from({ length: 24 }, newGroupName)
      for (const name of names) await ann.call(createUserGroup, { name, description, members: [ann.userId] })
      const registerBy = async (coding: string) => {
        const headers = { 'accept-encoding': coding }
        const answer = await ann.fetch('/api/v1/register', { method: 'POST', headers })
        return { encoding: answer.headers.get('content-encoding'), text: await answer.text() }
      }

      const [compressed, plain] = [await registerBy('gzip'), await registerBy('identity')]

      expect([compressed.encoding, plain.encoding]).toEqual(['gzip', null])
      const states = [JSON.parse(compressed.text), JSON.parse(plain.text)]
      expect(Object.keys(states[0])).toEqual(Object.keys(states[1]))
      for (const key of ['realm_user_groups', 'realm_users', 'subscriptions', 'user_settings'])
        expect(states[0][key]).toEqual(states[1][key])
      const found = (states[0].realm_user_groups as UserGroup[]).filter(({ name }) => names.includes(name))
      expect(found.map((group) => group.description)).toEqual(names.map(() => description))
      for (const { id } of found) await ann.call(deactivateUserGroup, { user_group_id: id })
    })

    test('returns a queue, the server settings, and everything else by default', async () => {
      const state = await ann.call(register, {})

      expect(state).toMatchObject({
        queue_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        last_event_id: -1,
        service_feature_level: 371,
        zulip_feature_level: 371,
        max_message_length: 10_000,
        password_max_length: 100,
        max_topic_length: 60,
        event_queue_longpoll_timeout_seconds: 90,
        server_typing_started_wait_period_milliseconds: 30_000,
        user_id: ann.userId,
        email: ann.email,
      })
      for (const keys of Object.values(KEYS_BY_TYPE))
        for (const key of keys) expect(state).toHaveProperty(key)
    })

    test.each(Object.entries(KEYS_BY_TYPE))(
      'returns for %s its own fields, and nothing else',
      async (type, keys) => {
        const state = await ann.call(register, { fetch_event_types: [type] })

        const others = Object.entries(KEYS_BY_TYPE).flatMap(([other, theirs]) =>
          other === type ? [] : theirs,
        )
        for (const key of keys) expect(state).toHaveProperty(key)
        // Every client needs the limit of its polls.
        for (const key of others.filter((one) => one !== 'event_queue_longpoll_timeout_seconds')) {
          expect(state).not.toHaveProperty(key)
        }
      },
    )

    test('returns the data of the requested events, unless requested otherwise', async () => {
      expect(await ann.call(register, { event_types: ['subscription'] })).toHaveProperty('subscriptions')
      expect(
        await ann.call(register, { event_types: ['subscription'], fetch_event_types: [] }),
      ).not.toHaveProperty('subscriptions')
    })

    test('splits channels into subscribed, unsubscribed and never subscribed', async () => {
      const joined = await newChannel(ann)
      const left = await newChannel(ben, { others: [ann] })
      const other = await newChannel(ben)
      await ann.call(endpoints.messaging.unsubscribe, { subscriptions: [left.name] })

      const state = await ann.call(register, { fetch_event_types: ['subscription'] })
      const namesOf = (key: string) => (state[key] as { name: string }[]).map(({ name }) => name)

      expect(namesOf('subscriptions')).toContain(joined.name)
      expect(namesOf('unsubscribed')).toContain(left.name)
      expect(namesOf('never_subscribed')).toContain(other.name)
      for (const key of ['unsubscribed', 'never_subscribed']) expect(namesOf(key)).not.toContain(joined.name)
    })

    test('includes subscribers only on request', async () => {
      const { id } = await newChannel(ann, { others: [ben] })
      const subscriptionIn = (state: Record<string, unknown>) =>
        (state['subscriptions'] as { stream_id: number }[]).find(({ stream_id }) => stream_id === id)
      const input = { fetch_event_types: ['subscription'] }

      expect(subscriptionIn(await ann.call(register, input))).not.toHaveProperty('subscribers')
      expect(subscriptionIn(await ann.call(register, { ...input, include_subscribers: true }))).toMatchObject(
        {
          subscribers: [ann.userId, ben.userId],
        },
      )
    })

    test('counts unread messages by channel, topic and conversation', async () => {
      const [reader] = await newUsers(system(), 1)
      const channel = await newChannel(ann, { others: [reader] })
      const inChannel = await sendToChannel(ann, channel.name, '@**all**', 'lunch')
      const direct = await sendDirectly(ann, [reader])
      const group = await sendDirectly(ann, [reader, ben])
      const note = await sendDirectly(reader, [reader])

      const state = await reader.call(register, { fetch_event_types: ['message', 'update_message_flags'] })

      expect(state['max_message_id']).toBe(note)
      expect(state['unread_msgs']).toEqual({
        count: 4,
        pms: [
          { other_user_id: ann.userId, sender_id: ann.userId, unread_message_ids: [direct] },
          { other_user_id: reader.userId, sender_id: reader.userId, unread_message_ids: [note] },
        ],
        streams: [{ stream_id: channel.id, topic: 'lunch', unread_message_ids: [inChannel] }],
        huddles: [
          {
            user_ids_string: [ann, ben, reader]
              .map(({ userId }) => userId)
              .sort((a, b) => a - b)
              .join(','),
            unread_message_ids: [group],
          },
        ],
        mentions: [inChannel],
        old_unreads_missing: false,
      })
    })

    test('requires one capability if any is declared', async () => {
      const capabilities = { notification_settings_null: true, something_new: true }

      expect(await ann.send(register, { client_capabilities: {} })).toMatchObject(refusal('BAD_REQUEST'))
      expect(
        await ann.send(register, { client_capabilities: capabilities, fetch_event_types: [] }),
      ).toMatchObject(success())
    })

    test('returns settings in place of null to clients without that capability', async () => {
      const settingsFor = async (client_capabilities: Record<string, boolean>) => {
        const state = await ann.call(register, { fetch_event_types: ['subscription'], client_capabilities })
        return (state['subscriptions'] as unknown[])[0]
      }

      expect(await settingsFor({ notification_settings_null: true })).toMatchObject({
        push_notifications: null,
        wildcard_mentions_notify: null,
      })
      expect(await settingsFor({ notification_settings_null: false })).toMatchObject({
        push_notifications: false,
        wildcard_mentions_notify: null,
      })

      await ann.call(endpoints.users.updateSettings, { enable_stream_push_notifications: true })
      expect(await settingsFor({ notification_settings_null: false })).toMatchObject({
        push_notifications: true,
        email_notifications: false,
      })
    })

    test.each<[string, Record<string, string>]>([
      ['a narrow of objects', { narrow: '[{"operator":"is","operand":"dm"}]' }],
      ['a narrow with an operator that queues can’t have', { narrow: '[["dm","1"]]' }],
      ['event types that are no list', { event_types: 'message' }],
      ['a negative lifespan', { queue_lifespan_secs: '-1' }],
      ['an idle timeout that is neither seconds nor mobile', { idle_queue_timeout: 'web' }],
      ['a negative idle timeout', { idle_queue_timeout: '-1' }],
      ['capabilities that are a list', { client_capabilities: '[]' }],
      [
        'a capability that is neither true nor false',
        { client_capabilities: '{"notification_settings_null":"yes"}' },
      ],
      [
        'an unknown capability that is neither true nor false',
        { client_capabilities: '{"notification_settings_null":true,"new_one":1}' },
      ],
      ['null for a list of terms', { narrow: 'null' }],
      [
        'more event types than there can be',
        { event_types: JSON.stringify(Array.from({ length: 501 }, () => 'x')) },
      ],
      [
        'a narrow of a thousand terms',
        { narrow: JSON.stringify(Array.from({ length: 1_000 }, () => ['is', 'dm'])) },
      ],
    ])('rejects %s', async (_, fields) => {
      expect(await ann.request('POST', '/register', Object.entries(fields))).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('lists ignored parameters', async () => {
      const answer = await ann.request('POST', '/register', [
        ['fetch_event_types', '[]'],
        ['no_such_parameter', '1'],
      ])

      expect(answer).toMatchObject(success({ ignored_parameters_unsupported: ['no_such_parameter'] }))
    })
  })

  describe('GET /events', () => {
    test('returns an empty list at once if it should not wait', async () => {
      const { queueId } = await registerQueue(ann, { fetch_event_types: [] })

      expect(
        await ann.send(getEvents, { queue_id: queueId, last_event_id: -1, dont_block: true }),
      ).toMatchObject(success({ events: [], queue_id: queueId }))
    })

    test('waits for an event, and repeats it until it is acknowledged', async () => {
      const { queueId } = await registerQueue(ann, { event_types: ['message'], fetch_event_types: [] })
      const pendingPoll = ann.call(getEvents, { queue_id: queueId, last_event_id: -1 })
      const id = await sendDirectly(ben, [ann])

      const { events } = await pendingPoll
      const again = await ann.call(getEvents, { queue_id: queueId, dont_block: true })
      const after = await ann.call(getEvents, {
        queue_id: queueId,
        last_event_id: events[0]?.id,
        dont_block: true,
      })

      expect(events).toMatchObject([{ type: 'message', message: { id } }])
      expect(again.events).toEqual(events)
      expect(after.events).toEqual([])
    })

    test('creates a queue if the parameters of register replace its ID', async () => {
      const made = await ann.call(getEvents, { event_types: ['message'], dont_block: true })
      const id = await sendDirectly(ben, [ann])

      const { events } = await ann.call(getEvents, { queue_id: made.queue_id, last_event_id: -1 })

      expect(made.events).toEqual([])
      expect(made.idle_queue_timeout_secs).toBe(600)
      expect(events).toMatchObject([{ message: { id } }])
    })

    test('accepts for such a queue each capability and its lifespan under separate names', async () => {
      const made = await ann.call(getEvents, {
        event_types: ['user_settings', 'update_display_settings'],
        user_settings_object: true,
        lifespan_secs: 1_800,
        dont_block: true,
      })
      await ann.call(endpoints.users.updateSettings, { high_contrast_mode: true })
      const { events } = await ann.call(getEvents, { queue_id: made.queue_id, last_event_id: -1 })

      expect(made).toMatchObject({ idle_queue_timeout_secs: 1_800 })
      expect(made).not.toHaveProperty('ignored_parameters_unsupported')
      expect(events.map(({ type }) => type)).toEqual(['user_settings'])
    })

    test.each<[string, Record<string, string>]>([
      ['an acknowledgement without a queue', { last_event_id: '7' }],
      ['capabilities that leave out the one that must be there', { client_capabilities: '{}' }],
      ['a capability that is no boolean', { bulk_message_deletion: '1' }],
      ['a narrow that queues can’t have', { narrow: '[["dm","1"]]' }],
    ])('creates none for %s', async (_, fields) => {
      const answer = await ann.request('GET', '/events', Object.entries({ ...fields, dont_block: 'true' }))

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each<[string, boolean | undefined, string, string]>([
      ['HTML', true, '<p><strong>x</strong></p>', 'text/html'],
      ['the text as written', false, '**x**', 'text/x-markdown'],
      ['the text as written by default', undefined, '**x**', 'text/x-markdown'],
    ])('returns messages as %s', async (_, apply_markdown, content, content_type) => {
      const queue = await registerQueue(ann, {
        event_types: ['message'],
        fetch_event_types: [],
        ...(apply_markdown === undefined ? {} : { apply_markdown }),
      })
      await sendDirectly(ben, [ann], '**x**')

      const event = await queue.waitFor(({ type }) => type === 'message', 'the message')

      expect(event['message']).toMatchObject({ content, content_type })
      await queue.stop()
    })

    test.each<[string, Record<string, string>, string]>([
      ['a queue that is none', { queue_id: 'none' }, 'BAD_EVENT_QUEUE_ID'],
      ['an empty queue ID', { queue_id: '' }, 'BAD_EVENT_QUEUE_ID'],
      ['an event that is no number', { last_event_id: 'x' }, 'BAD_REQUEST'],
      ['an event that never was', { last_event_id: '9007199254740991' }, 'BAD_REQUEST'],
      ['an event before all', { last_event_id: '-9007199254740991' }, 'BAD_REQUEST'],
      ['an event beyond all integers', { last_event_id: '9223372036854775808' }, 'BAD_REQUEST'],
    ])('rejects %s', async (_, change, code) => {
      const { queueId } = await registerQueue(ann, { fetch_event_types: [] })
      const valid = { queue_id: queueId, dont_block: 'true' }

      const answer = await ann.request('GET', '/events', Object.entries({ ...valid, ...change }))

      expect(answer).toMatchObject(refusal(code))
      if (code === 'BAD_EVENT_QUEUE_ID') expect(answer.body['queue_id']).toBe(change['queue_id'])
    })

    test('rejects users who do not own the queue', async () => {
      const { queueId } = await registerQueue(ann, { fetch_event_types: [] })

      for (const endpoint of [getEvents, deleteEventQueue]) {
        expect(await ben.send(endpoint, { queue_id: queueId, dont_block: true })).toMatchObject(
          refusal('BAD_EVENT_QUEUE_ID', { queue_id: queueId }),
        )
      }
      expect(await ann.send(getEvents, { queue_id: queueId, dont_block: true })).toMatchObject(success())
    })
  })

  describe('a queue', () => {
    const countQueues = async () => {
      const counts = await Promise.all(
        system().system.urls.events.map((url) => metricOf(url, 'event_queues_live')),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    }
    const untilFewerThan = async (count: number): Promise<void> => {
      if ((await countQueues()) >= count) await untilFewerThan(count)
    }

    test.each<[string, EndpointInput<typeof register>, number]>([
      ['ten minutes', {}, 600],
      ['what it asks for', { idle_queue_timeout: 1_800 }, 1_800],
      ['half a day for a telephone', { idle_queue_timeout: 'mobile' }, 43_200],
      ['a week at most', { idle_queue_timeout: 10_000_000 }, 604_800],
      ['what it asks for under the older name', { queue_lifespan_secs: 1_800 }, 1_800],
      ['the newer name’s, of two', { idle_queue_timeout: 'mobile', queue_lifespan_secs: 60 }, 43_200],
    ])('may go without polls for %s', async (_, input, seconds) => {
      const { body } = await ann.send(register, { fetch_event_types: [], ...input })
      expect(body).toMatchObject({ idle_queue_timeout_secs: seconds })
    })

    test('expires when it is not polled within its lifespan', async () => {
      const { queueId } = await registerQueue(ann, { fetch_event_types: [], idle_queue_timeout: 1 })
      await untilFewerThan(await countQueues())

      const answer = await ann.send(getEvents, { queue_id: queueId, dont_block: true })

      expect(answer).toMatchObject(refusal('BAD_EVENT_QUEUE_ID'))
    })
  })

  describe('DELETE /events', () => {
    test('deletes a queue once', async () => {
      const { queueId } = await registerQueue(ann, { fetch_event_types: [] })

      expect(await ann.send(deleteEventQueue, { queue_id: queueId })).toMatchObject(success())
      for (const endpoint of [getEvents, deleteEventQueue]) {
        expect(await ann.send(endpoint, { queue_id: queueId })).toMatchObject(
          refusal('BAD_EVENT_QUEUE_ID', { queue_id: queueId }),
        )
      }
    })

    test('requires the ID of a queue', async () => {
      expect(await ann.request('DELETE', '/events')).toMatchObject(
        refusal('REQUEST_VARIABLE_MISSING', { var_name: 'queue_id' }),
      )
    })
  })
}
