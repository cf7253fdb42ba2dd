import { endpoints } from '@tms/contracts'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from '../support/watch.ts'

const { setEditTypingStatus, setMessageEditTyping, setTypingStatus } = endpoints.messaging
const { updateSettings } = endpoints.users

/** Typing does not use the outbox, so no other event bounds its arrival: each test waits for its own. */
const isTyping = (topicOrRecipients: string) => (event: Record<string, unknown>) =>
  event['type'] === 'typing' && JSON.stringify(event).includes(topicOrRecipients)

export const typingTests = (system: () => TestSystem): void => {
  let writer: ApiClient
  let reader: ApiClient
  let outsider: ApiClient
  let watchers: Watcher[]
  beforeAll(async () => {
    const users = await newUsers(system(), 3)
    ;[writer, reader, outsider] = users
    watchers = await Promise.all(
      users.map((user) =>
        watch(user, {
          client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
        }),
      ),
    )
    return () => stopWatching(watchers)
  })
  const typingOf = (watcher: Watcher | undefined) =>
    watcher?.queue.events.filter(({ type }) => type === 'typing') ?? []

  describe('typing', () => {
    test('in a direct conversation is delivered to everyone in it, including the writer', async () => {
      for (const op of ['start', 'stop'] as const) {
        await writer.call(setTypingStatus, { op, to: [reader.userId] })
        for (const watcher of watchers.slice(0, 2)) {
          const event = await watcher.queue.waitFor((one) => one.type === 'typing' && one['op'] === op)
          expect(event).toMatchObject({
            message_type: 'direct',
            sender: { user_id: writer.userId, email: writer.email },
            recipients: [
              { user_id: writer.userId, email: writer.email },
              { user_id: reader.userId, email: reader.email },
            ],
          })
        }
      }
      expect(typingOf(watchers[2])).toEqual([])
    })

    test('of a bot is delivered where its owner may post', async () => {
      const { owner } = system()
      const closed = await newChannel(owner, { others: [reader] })
      await owner.call(endpoints.messaging.updateChannel, { stream_id: closed.id, stream_post_policy: 2 })
      const typing = { type: 'stream', op: 'start', stream_id: closed.id, topic: 'by a bot' } as const

      expect(await (await newBotOf(owner)).send(setTypingStatus, typing)).toMatchObject(success())
      expect(await (await newBotOf(writer)).send(setTypingStatus, typing)).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('in a channel is delivered to its subscribers, for clients that support it', async () => {
      const channel = await newChannel(writer, { others: [reader] })
      const plain = await watch(reader)
      await writer.call(setTypingStatus, {
        type: 'stream',
        op: 'start',
        stream_id: channel.id,
        topic: 'first',
      })
      await writer.call(setTypingStatus, {
        type: 'channel',
        op: 'start',
        stream_id: channel.id,
        topic: 'second',
      })
      for (const watcher of watchers.slice(0, 2)) {
        const event = await watcher.queue.waitFor(isTyping('"topic":"second"'))
        expect(event).toMatchObject({ op: 'start', message_type: 'stream', stream_id: channel.id })
        expect(event).not.toHaveProperty('recipients')
      }
      // Direct typing follows it, so the earlier ones have arrived.
      await writer.call(setTypingStatus, { op: 'start', to: [reader.userId] })
      await plain.queue.waitFor(isTyping('recipients'))
      expect(typingOf(plain).map(({ message_type }) => message_type)).toEqual(['direct'])
      expect(typingOf(watchers[2])).toEqual([])
      await stopWatching([plain])
    })

    test('while editing a message is delivered to those who read it and want it', async () => {
      const channel = await newChannel(writer, { others: [reader] })
      const message_id = await sendToChannel(writer, channel.name, 'x', 'edited')
      const direct_id = await sendDirectly(writer, [reader])
      const edits = [
        [message_id, { type: 'channel', channel_id: channel.id, topic: 'edited' }],
        [direct_id, { type: 'direct', user_ids: [writer.userId, reader.userId] }],
      ] as const

      for (const [id, recipient] of edits) {
        for (const [endpoint, op] of [
          [setEditTypingStatus, 'start'],
          [setMessageEditTyping, 'stop'],
        ] as const) {
          await writer.call(endpoint, { message_id: id, op })
          const isIt = (one: ClientEvent) =>
            one.type === 'typing_edit_message' && one['message_id'] === id && one['op'] === op
          for (const watcher of watchers.slice(0, 2))
            expect(await watcher.queue.waitFor(isIt)).toMatchObject({ sender_id: writer.userId, recipient })
        }
      }
      expect(watchers[2]?.queue.events.filter(({ type }) => type === 'typing_edit_message')).toEqual([])
    })

    test('while editing is rejected for messages that the user may not edit, and if they hide it', async () => {
      const channel = await newChannel(writer, { others: [reader] })
      const message_id = await sendToChannel(writer, channel.name)
      const secret = await sendToChannel(writer, (await newChannel(writer, { isPrivate: true })).name)
      const type = (client: ApiClient, id: number) =>
        client.send(setEditTypingStatus, { message_id: id, op: 'start' })

      expect(await type(reader, message_id)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await type(reader, secret)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await type(writer, 2 ** 52)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await writer.request('POST', '/message_edit_typing', [['op', 'start']])).toMatchObject(
        refusal('REQUEST_VARIABLE_MISSING', { var_name: 'message_id' }),
      )
      await writer.call(updateSettings, { send_stream_typing_notifications: false })
      expect(await type(writer, message_id)).toMatchObject(refusal('BAD_REQUEST'))
      await writer.call(updateSettings, { send_stream_typing_notifications: true })
      expect(await type(writer, message_id)).toMatchObject(success())
    })

    test.each([
      ['nobody', { op: 'start', to: '[]' }, "Missing parameter: 'to' (recipient)"],
      ['no recipients', { op: 'start' }, "Missing parameter: 'to' (recipient)"],
      ['an unknown user', { op: 'start', to: '[999999]' }, 'Invalid user ID 999999'],
      [
        'twenty thousand of them',
        { op: 'start', to: JSON.stringify(unknownUserIds(20_000)) },
        'Invalid user ID 1000000',
      ],
      [
        'a channel without its ID',
        { type: 'channel', op: 'start', topic: 'x' },
        "Missing 'stream_id' argument",
      ],
      [
        'an unknown channel',
        { type: 'stream', op: 'start', stream_id: '999999', topic: 'x' },
        'Invalid channel ID',
      ],
      ['no topic', { type: 'stream', op: 'start', stream_id: '1' }, "Topic can't be empty!"],
    ] as const)('to %s is rejected', async (_, fields, msg) => {
      expect(await writer.request('POST', '/typing', Object.entries(fields))).toMatchObject(
        refusal('BAD_REQUEST', { msg }),
      )
    })

    test.each([
      ['the type `private`', { type: 'private', op: 'start', to: '[1]' }],
      ['an unknown op', { op: 'pause', to: '[1]' }],
      ['a bare recipient', { op: 'start', to: '1' }],
    ] as const)('with %s is rejected', async (_, fields) => {
      expect(await writer.request('POST', '/typing', Object.entries(fields))).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('in a private channel is only for its subscribers', async () => {
      const channel = await newChannel(writer, { isPrivate: true })
      const answer = await outsider.send(setTypingStatus, {
        type: 'channel',
        op: 'start',
        stream_id: channel.id,
        topic: 'x',
      })
      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(answer.body['msg']).not.toContain(channel.name)
    })
  })
}

const unknownUserIds = (count: number): number[] => Array.from({ length: count }, (_, n) => 1_000_000 + n)
