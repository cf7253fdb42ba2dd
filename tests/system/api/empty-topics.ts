import { endpoints, type NewDraft, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import {
  newChannel,
  newUserOfRole,
  newUsers,
  secondsFromNow,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  createDrafts,
  createScheduledMessage,
  deleteMessage,
  deleteTopic,
  editMessage,
  getMessage,
  getMessageHistory,
  getMessages,
  listScheduledMessages,
  listTopics,
  markTopicAsRead,
  muteTopic,
  sendMessage,
  setTypingStatus,
  updateFlagsForNarrow,
  updateMessageFlags,
  updateUserTopic,
} = endpoints.messaging
const { register } = endpoints.events
const NAME = 'general chat'
const BASIC = { notification_settings_null: true, stream_typing_notifications: true }
const KNOWING = { ...BASIC, empty_topic_name: true }

export const emptyTopicTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let channel: { name: string; id: number }
  /** Of Ben: a client that knows empty topics, and one that doesn't. */
  let watchers: Watcher[]
  beforeAll(async () => {
    const users = await newUsers(system(), 2)
    ann = users[0] as ApiClient
    ben = users[1] as ApiClient
    channel = await newChannel(ann, { others: [ben] })
    watchers = [
      await watch(ben, { client_capabilities: KNOWING }),
      await watch(ben, { client_capabilities: BASIC }),
    ]
  })
  afterAll(() => stopWatching(watchers))

  const send = (topic: string, content = 'hello') => sendToChannel(ann, channel.id, content, topic)
  /** The topic of a message for a client that knows empty topics. */
  const topicOf = async (message_id: number) =>
    (await ben.call(getMessage, { message_id, allow_empty_topic_name: true })).message.subject
  /** What both clients of Ben receive during an act, of one type. */
  const bothGet = async (type: string, act: () => Promise<unknown>) => {
    const received = await eventsOf(system(), watchers, act)
    return received.map((events) => events.filter((event) => event.type === type))
  }
  const narrowed = async (narrow: unknown) => {
    const all = { anchor: 'newest', num_before: 100, num_after: 0 } as const
    const { messages } = await ben.call(getMessages, { ...all, narrow, allow_empty_topic_name: true })
    return messages.map(({ id }) => id)
  }

  describe('the empty topic', () => {
    test.each(['', ' ', NAME, 'General Chat', '(no topic)'])('is what a message to %j has', async (topic) => {
      const received = await bothGet('message', () => send(topic))
      const [knowing, other] = received.map(
        ([event]) => event?.['message'] as { id: number; subject: string },
      )

      expect(knowing?.subject).toBe('')
      expect(other?.subject).toBe(NAME)
      const message_id = knowing?.id ?? 0
      expect(await topicOf(message_id)).toBe('')
      expect((await ben.call(getMessage, { message_id })).message.subject).toBe(NAME)
    })

    test('is no topic: a message without one is refused', async () => {
      const message = { type: 'channel', to: channel.id, content: 'x' } as const

      expect(await ann.send(sendMessage, message)).toMatchObject(
        refusal('BAD_REQUEST', { msg: "Topic can't be empty!" }),
      )
    })

    test('is named in what register returns', async () => {
      const read = (client_capabilities: typeof BASIC) =>
        ben.call(register, {
          client_capabilities,
          fetch_event_types: ['realm', 'message', 'update_message_flags', 'user_topic'],
        })
      await send('')
      await ben.call(updateUserTopic, { stream_id: channel.id, topic: '', visibility_policy: 3 })
      const namesIn = async (client_capabilities: typeof BASIC) => {
        const state = await read(client_capabilities)
        const { streams } = state['unread_msgs'] as { streams: { stream_id: number; topic: string }[] }
        const policies = state['user_topics'] as { stream_id: number; topic_name: string }[]
        return {
          shown: state['realm_empty_topic_display_name'],
          unread: streams.filter(({ stream_id }) => stream_id === channel.id).map(({ topic }) => topic),
          policies: policies.map(({ topic_name }) => topic_name),
        }
      }

      expect(await namesIn(KNOWING)).toEqual({ shown: NAME, unread: [''], policies: [''] })
      expect(await namesIn(BASIC)).toEqual({ shown: NAME, unread: [NAME], policies: [NAME] })
      await ben.call(updateUserTopic, { stream_id: channel.id, topic: NAME, visibility_policy: 0 })
    })

    test('is one topic in the list of topics, whose name the client chooses', async () => {
      const { id } = await newChannel(ann)
      const last = [await sendToChannel(ann, id, 'x', ''), await sendToChannel(ann, id, 'x', 'General chat')]
      const namesOf = async (input: { allow_empty_topic_name?: boolean }) => {
        const { topics } = await ann.call(listTopics, { stream_id: id, ...input })
        return topics.filter(({ max_id }) => max_id === last[1]).map(({ name }) => name)
      }

      expect(await namesOf({ allow_empty_topic_name: true })).toEqual([''])
      expect(await namesOf({})).toEqual([NAME])
      expect((await ann.call(listTopics, { stream_id: id })).topics).toHaveLength(2)
    })

    test.each([
      ['', NAME],
      [NAME, ''],
    ])('is found by a narrow to %j, as by %j', async (operand, other) => {
      const { name, id } = await newChannel(ann, { others: [ben] })
      const [empty, filled] = [
        await sendToChannel(ann, id, 'x', ''),
        await sendToChannel(ann, id, 'x', 'lunch'),
      ]
      const direct = (await ann.call(sendMessage, { type: 'direct', to: [ben.userId], content: 'x' })).id

      expect(
        await narrowed([
          ['channel', name],
          ['topic', operand],
        ]),
      ).toEqual([empty])
      expect(
        await narrowed([
          ['channel', name],
          ['topic', other],
        ]),
      ).toEqual([empty])
      expect(await narrowed([['topic', operand]])).not.toContain(direct)
      const others = await narrowed([{ operator: 'topic', operand, negated: true }])
      expect(others).toEqual(expect.arrayContaining([filled, direct]))
      expect(others).not.toContain(empty)
    })

    test('has its name in matches of a search', async () => {
      const { name } = channel
      const id = await send('', 'a wombat')
      const around = { anchor: String(id), num_before: 0, num_after: 0 } as const
      const narrow = [
        ['channel', name],
        ['search', 'wombat'],
      ]
      const matchOf = async (input: { allow_empty_topic_name?: boolean }) =>
        (await ben.call(getMessages, { ...around, narrow, ...input })).messages[0]

      expect(await matchOf({})).toMatchObject({ subject: NAME, match_subject: NAME })
      expect(await matchOf({ allow_empty_topic_name: true })).toMatchObject({
        subject: '',
        match_subject: '',
      })
    })

    test.each(['', NAME])('is followed by %j', async (topic) => {
      const set = (visibility_policy: 0 | 1 | 3) =>
        ben.call(updateUserTopic, { stream_id: channel.id, topic, visibility_policy })
      const [knowing, other] = await bothGet('user_topic', async () => {
        await set(1)
        await set(0)
      })
      const lists = await bothGet('muted_topics', () =>
        ben.call(muteTopic, { stream_id: channel.id, topic, op: 'add' }),
      )
      await ben.call(muteTopic, { stream_id: channel.id, topic: NAME, op: 'remove' })

      expect(knowing?.map(({ topic_name }) => topic_name)).toEqual(['', ''])
      expect(other?.map(({ topic_name }) => topic_name)).toEqual([NAME, NAME])
      const mutedIn = (events: readonly { [field: string]: unknown }[] = []) =>
        ((events[0]?.['muted_topics'] ?? []) as [string, string][]).map(([, muted]) => muted)
      expect(lists.map(mutedIn)).toEqual([[''], [NAME]])
    })

    test('is where somebody types', async () => {
      const typed = (topic: string) =>
        ann.call(setTypingStatus, { type: 'channel', op: 'start', stream_id: channel.id, topic })
      const seen = Promise.all(
        watchers.map(({ queue }) => queue.waitFor(({ type }) => type === 'typing', 'typing')),
      )
      await typed('')

      expect((await seen).map(({ topic }) => topic)).toEqual(['', NAME])
    })

    test('keeps and loses messages by moves, whose events name it', async () => {
      const id = await send('lunch')
      const move = (topic: string) => ann.call(editMessage, { message_id: id, topic })

      const [knowing, other] = await bothGet('update_message', async () => {
        await move('')
        await move('tea')
      })

      const topicsIn = (events: readonly { [field: string]: unknown }[] = []) =>
        events.map(({ orig_subject, subject }) => [orig_subject, subject])
      expect(topicsIn(knowing)).toEqual([
        ['lunch', ''],
        ['', 'tea'],
      ])
      expect(topicsIn(other)).toEqual([
        ['lunch', NAME],
        [NAME, 'tea'],
      ])
      const historyOf = async (input: { allow_empty_topic_name?: boolean }) => {
        const { message_history } = await ben.call(getMessageHistory, { message_id: id, ...input })
        const { message } = await ben.call(getMessage, { message_id: id, ...input })
        return [
          message_history.map(({ topic }) => topic),
          message_history.map(({ prev_topic }) => prev_topic),
          message.edit_history?.map(({ topic }) => topic),
        ]
      }
      expect(await historyOf({ allow_empty_topic_name: true })).toEqual([
        ['lunch', '', 'tea'],
        [undefined, 'lunch', ''],
        ['tea', ''],
      ])
      expect(await historyOf({})).toEqual([
        ['lunch', NAME, 'tea'],
        [undefined, 'lunch', NAME],
        ['tea', NAME],
      ])
    })

    test('moves to another channel by its name', async () => {
      const { id: stream_id } = await newChannel(ann, { others: [ben] })
      const id = await send('')

      await ann.call(editMessage, { message_id: id, stream_id, topic: NAME })

      expect((await ben.call(getMessage, { message_id: id })).message).toMatchObject({
        stream_id,
        subject: NAME,
      })
    })

    test.each(['\u2714 ', `\u2714 ${NAME}`, '\u2714 General chat'])(
      'cannot be resolved as %j',
      async (topic) => {
        const message_id = await send('')

        expect(
          await ann.send(editMessage, { message_id, topic, propagate_mode: 'change_all' }),
        ).toMatchObject(refusal('BAD_REQUEST', { msg: 'The empty topic cannot be marked as resolved' }))
      },
    )

    test('is named when messages of it are unread again, or deleted', async () => {
      const id = await send('')
      const read = (op: 'add' | 'remove') =>
        ben.call(updateMessageFlags, { messages: [id], op, flag: 'read' })
      await read('add')

      const flags = await bothGet('update_message_flags', () => read('remove'))
      const deletions = await bothGet('delete_message', () =>
        system().owner.call(deleteMessage, { message_id: id }),
      )

      const detail = (events: readonly { [field: string]: unknown }[] = []) =>
        ((events[0]?.['message_details'] ?? {}) as Record<number, { topic: string }>)[id]?.topic
      expect(flags.map(detail)).toEqual(['', NAME])
      expect(deletions.map((events) => events[0]?.['topic'])).toEqual(['', NAME])
    })

    test.each(['', NAME])('is marked as read, and deleted, as %j', async (topic_name) => {
      const { name, id } = await newChannel(ann, { others: [ben] })
      const [first, second] = [
        await sendToChannel(ann, id, 'x', ''),
        await sendToChannel(ann, id, 'x', 'lunch'),
      ]
      const isRead = async (message_id: number) =>
        (await ben.call(getMessage, { message_id })).message.flags.includes('read')

      await ben.call(markTopicAsRead, { stream_id: id, topic_name })
      expect([await isRead(first), await isRead(second)]).toEqual([true, false])
      const narrow = [
        ['channel', name],
        ['topic', topic_name],
      ]
      const around = { anchor: 'oldest', num_before: 0, num_after: 10 } as const
      await ben.call(updateFlagsForNarrow, { ...around, narrow, op: 'remove', flag: 'read' })
      expect(await isRead(first)).toBe(false)

      await system().owner.call(deleteTopic, { stream_id: id, topic_name })
      expect(await ben.send(getMessage, { message_id: first })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(getMessage, { message_id: second })).toMatchObject(success())
    })

    test.each(['', NAME, '(no topic)'])('is scheduled to as %j', async (topic) => {
      const { scheduled_message_id } = await ann.call(createScheduledMessage, {
        ...({ type: 'channel', to: channel.id, topic, content: 'later' } as const),
        scheduled_delivery_timestamp: secondsFromNow(9_999),
      })

      const { scheduled_messages } = await ann.call(listScheduledMessages, {})
      expect(
        scheduled_messages.find((one) => one.scheduled_message_id === scheduled_message_id),
      ).toMatchObject({
        topic: '',
      })
    })

    test('is in a draft as it was written', async () => {
      const draftTo = (topic: string): NewDraft => ({ type: 'stream', to: [channel.id], topic, content: 'x' })
      const { ids } = await ann.call(createDrafts, { drafts: [draftTo(''), draftTo(NAME)] })

      const { drafts } = await ann.call(endpoints.messaging.listDrafts, {})
      expect(ids.map((id) => drafts.find((one) => one.id === id)?.topic)).toEqual(['', NAME])
    })

    test('selects the messages of a queue by either name', async () => {
      const narrow = (topic: string) => [
        ['channel', channel.name],
        ['topic', topic],
      ]
      const narrowedWatchers = [
        await watch(ben, { narrow: narrow(''), event_types: ['message'] }),
        await watch(ben, { narrow: narrow(NAME), event_types: ['message'] }),
      ]
      await send('lunch')
      const id = await send('')

      for (const { queue } of narrowedWatchers) {
        await queue.waitFor(({ message }) => (message as { id: number }).id === id, 'the message')
        expect(queue.events.filter(({ type }) => type === 'message')).toHaveLength(1)
      }
      await stopWatching(narrowedWatchers)
    })
  })

  describe('where topics are mandatory', () => {
    test.each(['', NAME])('the topic %j is refused', async (topic) => {
      const { owner } = system()
      const moderator = await newUserOfRole(system(), Role.moderator)
      const message_id = await sendToChannel(moderator, channel.id, 'x', 'lunch')
      const message = { type: 'channel', to: channel.id, topic, content: 'x' } as const
      const refused = refusal('BAD_REQUEST', { msg: 'Topics are required in this organization' })

      await owner.call(endpoints.realm.updateRealm, { mandatory_topics: true })

      expect(await moderator.send(sendMessage, message)).toMatchObject(refused)
      const scheduled = { ...message, scheduled_delivery_timestamp: secondsFromNow(9_999) }
      expect(await moderator.send(createScheduledMessage, scheduled)).toMatchObject(refused)
      expect(await moderator.send(editMessage, { message_id, topic })).toMatchObject(refused)
      await owner.call(endpoints.realm.updateRealm, { mandatory_topics: false })
      expect(await moderator.send(sendMessage, message)).toMatchObject(success())
    })
  })
}
