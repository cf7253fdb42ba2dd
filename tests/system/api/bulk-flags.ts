import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  getMessage,
  getReadReceipts,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  subscribe,
  unsubscribe,
  updateFlagsForNarrow,
  updateMessageFlags,
} = endpoints.messaging

export const bulkFlagTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let watchers: Watcher[]
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    channel = await newChannel(ann, { others: [ben] })
    watchers = [await watch(ben), await watch(ann)]
  })
  afterAll(() => stopWatching(watchers))

  /** Some messages of Ann's in the channel. */
  const sendMany = async (count: number, topic = 'a topic', where = channel.name) => {
    const ids: number[] = []
    for (let i = 0; i < count; i++) ids.push(await sendToChannel(ann, where, `${i}`, topic))
    return ids
  }
  const isRead = async (message_id: number, client = ben) =>
    (await client.call(getMessage, { message_id })).message.flags.includes('read')
  const readEvent = (messages: number[], all = false) => ({
    id: expect.any(Number),
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'read',
    messages,
    all,
  })

  describe('POST /messages/flags/narrow', () => {
    const topic = 'many'
    const narrow = () => [
      { operator: 'channel', operand: channel.id },
      { operator: 'topic', operand: topic },
    ]
    const change = (input: object) =>
      ben.send(updateFlagsForNarrow, {
        anchor: 'oldest',
        num_before: 0,
        num_after: 100,
        narrow: narrow(),
        op: 'add',
        flag: 'read',
        ...input,
      })
    let ids: number[]
    beforeAll(async () => {
      ids = await sendMany(6, topic)
    })

    test('counts processed and changed messages, and delivers the change', async () => {
      await ben.call(updateMessageFlags, { messages: ids.slice(1, 2), op: 'add', flag: 'read' })

      const [own, anns] = await eventsOf(system(), watchers, async () => {
        const input = { anchor: String(ids[2]), num_before: 2, num_after: 1 }
        expect(await change(input)).toMatchObject(
          success({
            processed_count: 4,
            updated_count: 3,
            first_processed_id: ids[0],
            last_processed_id: ids[3],
            found_oldest: false,
            found_newest: false,
          }),
        )
      })

      expect(own).toEqual([readEvent([ids[0], ids[2], ids[3]] as number[])])
      expect(anns).toEqual([])
    })

    test('continues from its last message until it found the end', async () => {
      await change({ op: 'remove' })
      const answers: unknown[] = []
      let anchor = 'oldest'
      for (let isDone = false; !isDone; ) {
        const { body } = await change({ anchor, include_anchor: answers.length === 0, num_after: 2 })
        answers.push([body['processed_count'], body['updated_count'], body['found_newest']])
        anchor = String(body['last_processed_id'])
        isDone = body['found_newest'] === true || answers.length > 9
      }

      // If exactly the requested number is found, there may be more.
      expect(answers).toEqual([
        [2, 2, false],
        [2, 2, false],
        [2, 2, false],
        [0, 0, true],
      ])
      for (const id of ids) expect(await isRead(id)).toBe(true)
    })

    test('starts at the first unread message, or at the newest', async () => {
      await change({ op: 'remove', anchor: String(ids[3]), num_after: 0 })

      expect(await change({ anchor: 'first_unread', num_after: 0 })).toMatchObject(
        success({ processed_count: 1, updated_count: 1, first_processed_id: ids[3] }),
      )
      expect(await change({ anchor: 'first_unread', num_before: 1, num_after: 0 })).toMatchObject(
        success({ processed_count: 1, updated_count: 0, first_processed_id: ids[5], found_newest: true }),
      )
    })

    test('returns nothing for an empty result', async () => {
      expect(await change({ narrow: [{ operator: 'id', operand: 0 }] })).toMatchObject(
        success({
          processed_count: 0,
          updated_count: 0,
          first_processed_id: null,
          last_processed_id: null,
          found_oldest: true,
          found_newest: true,
        }),
      )
    })

    test('adds and removes stars', async () => {
      expect(await change({ flag: 'starred' })).toMatchObject(success({ updated_count: 6 }))
      expect(await change({ flag: 'starred', op: 'remove' })).toMatchObject(success({ updated_count: 6 }))
      expect(await change({ flag: 'starred', op: 'remove' })).toMatchObject(success({ updated_count: 0 }))
    })

    test('lowers a count that is too large instead of rejecting it', async () => {
      expect(await change({ num_before: 1_000_000, num_after: 1_000_000 })).toMatchObject(
        success({ processed_count: 6, found_oldest: true, found_newest: true }),
      )
    })

    test.each<[string, object, string]>([
      ['a flag that only the server sets', { flag: 'mentioned' }, 'BAD_REQUEST'],
      ['a flag that is none', { flag: 'blue' }, 'BAD_REQUEST'],
      ['an operation that is none', { op: 'toggle' }, 'BAD_REQUEST'],
      ['an anchor that is none', { anchor: 'here' }, 'BAD_REQUEST'],
      ['to leave out an anchor amid the range', { include_anchor: false, num_before: 1 }, 'BAD_REQUEST'],
      ['a negative count', { num_before: -1 }, 'BAD_REQUEST'],
      ['a narrow that is none', { narrow: 'x' }, 'REQUEST_VARIABLE_INVALID'],
      ['a narrow that means nothing', { narrow: [['is', 'blue']] }, 'BAD_NARROW'],
    ])('rejects %s', async (_, input, code) => {
      expect(await change(input)).toMatchObject(refusal(code))
    })
  })

  describe('POST /mark_all_as_read', () => {
    test('marks channels and conversations in one event', async () => {
      const unread = [
        ...(await sendMany(2)),
        await sendDirectly(ann, [ben]),
        await sendDirectly(ann, [ben, system().owner]),
      ]

      const [own, anns] = await eventsOf(system(), watchers, async () => {
        expect(await ben.send(markAllAsRead, {})).toMatchObject(success({ complete: true }))
      })

      expect(own).toEqual([readEvent([], true)])
      expect(anns).toEqual([])
      for (const id of unread) expect(await isRead(id)).toBe(true)
    })

    test('leaves nothing unread in the next register', async () => {
      await sendMany(2)
      await ben.call(markAllAsRead, {})

      const { unread_msgs } = await ben.call(endpoints.events.register, {
        fetch_event_types: ['message', 'update_message_flags'],
      })

      expect(unread_msgs).toMatchObject({ count: 0, streams: [], pms: [], huddles: [] })
    })

    test('delivers nothing if nothing is unread', async () => {
      const [own] = await eventsOf(system(), watchers, async () => {
        await ben.call(markAllAsRead, {})
        await ben.call(markAllAsRead, {})
      })

      expect(own).toEqual([readEvent([], true)])
    })

    test('leaves later messages unread', async () => {
      await ben.call(markAllAsRead, {})

      const id = await sendToChannel(ann, channel.name)

      expect(await isRead(id)).toBe(false)
    })
  })

  describe('POST /mark_stream_as_read', () => {
    test('marks the channel, and lists the messages that were unread', async () => {
      await ben.call(markAllAsRead, {})
      const elsewhere = await sendDirectly(ann, [ben])
      const ids = [...(await sendMany(2)), ...(await sendMany(1, 'another topic'))]

      const [own] = await eventsOf(system(), watchers, async () => {
        expect(await ben.send(markChannelAsRead, { stream_id: channel.id })).toMatchObject(success())
      })

      expect(own).toEqual([readEvent(ids)])
      expect(await isRead(elsewhere)).toBe(false)
    })

    test('rejects a channel without access, and an unknown one', async () => {
      const hidden = await newChannel(ann, { isPrivate: true })

      for (const stream_id of [hidden.id, 999_999_999, -1]) {
        expect(await ben.send(markChannelAsRead, { stream_id })).toMatchObject(refusal('BAD_REQUEST'))
      }
    })
  })

  describe('POST /mark_topic_as_read', () => {
    test('marks the topic regardless of case, and nothing else', async () => {
      await ben.call(markAllAsRead, {})
      const ids = await sendMany(2, 'Lunch')
      const [other] = await sendMany(1, 'dinner')

      const [own] = await eventsOf(system(), watchers, async () => {
        const input = { stream_id: channel.id, topic_name: 'lunch' }
        expect(await ben.send(markTopicAsRead, input)).toMatchObject(success())
      })

      expect(own).toEqual([readEvent(ids)])
      expect(await isRead(other ?? 0)).toBe(false)
    })

    test('rejects a topic without messages of the caller', async () => {
      const late = await newChannel(ann)
      await sendMany(1, 'before', late.name)
      await ann.call(subscribe, { subscriptions: [{ name: late.name }], principals: [ben.userId] })

      for (const topic_name of ['before', 'no such topic']) {
        expect(await ben.send(markTopicAsRead, { stream_id: late.id, topic_name })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
      }
    })
  })

  describe('GET /messages/{message_id}/read_receipts', () => {
    const readersOf = async (message_id: number, client = ann) =>
      (await client.call(getReadReceipts, { message_id })).user_ids

    test('lists the readers of a channel message, without its sender', async () => {
      const id = await sendToChannel(ann, channel.name)
      expect(await readersOf(id)).toEqual([])

      await ann.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })
      await ben.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })

      expect(await readersOf(id)).toEqual([ben.userId])
      expect(await readersOf(id, ben)).toEqual([ben.userId])
    })

    test('lists the readers of a direct message', async () => {
      const id = await sendDirectly(ann, [ben, system().owner])

      await ben.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })

      expect(await readersOf(id)).toEqual([ben.userId])
      await ben.call(updateMessageFlags, { messages: [id], op: 'remove', flag: 'read' })
      expect(await readersOf(id)).toEqual([])
    })

    test('rejects a message without access', async () => {
      const id = await sendDirectly(ann, [system().owner])

      expect(await ben.send(getReadReceipts, { message_id: id })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(getReadReceipts, { message_id: 999_999_999 })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('leaving a channel', () => {
    test('marks its messages as read, so that none is unread after subscribing again', async () => {
      const left = await newChannel(ann, { others: [ben] })
      const [id] = await sendMany(1, 'x', left.name)
      await ben.call(unsubscribe, { subscriptions: [left.name] })
      await ben.call(subscribe, { subscriptions: [{ name: left.name }] })

      expect(await isRead(id ?? 0)).toBe(true)
      expect(await ben.send(markChannelAsRead, { stream_id: left.id })).toMatchObject(success())
    })
  })
}
