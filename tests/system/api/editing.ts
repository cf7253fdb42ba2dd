import { endpoints } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { editMessage, getMessage, getMessageHistory, unsubscribe, updateMessageFlags } = endpoints.messaging

export const editingTests = (system: () => TestSystem): void => {
  describe('PATCH /messages/{message_id}, text', () => {
    let ann: ApiClient
    let ben: ApiClient
    let cem: ApiClient
    let channel: { name: string; id: number }
    let watchers: Watcher[]
    beforeAll(async () => {
      ;[ann, ben, cem] = await newUsers(system(), 3)
      channel = await newChannel(ann, { others: [ben] })
      watchers = [await watch(ann), await watch(ben), await watch(cem)]
    })
    afterAll(() => stopWatching(watchers))

    const fetch = async (client: ApiClient, message_id: number) =>
      (await client.call(getMessage, { message_id, apply_markdown: false })).message

    test('replaces the text and delivers it to everyone who has the message, with their own flags', async () => {
      const message_id = await sendToChannel(ann, channel.name, 'one *word*', 'lunch')
      await ben.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' })

      const [anns, bens, cems] = await eventsOf(system(), watchers, async () => {
        expect(await ann.send(editMessage, { message_id, content: '/me two **words** ' })).toMatchObject(
          success(),
        )
      })

      const expected = {
        type: 'update_message',
        user_id: ann.userId,
        rendering_only: false,
        message_id,
        message_ids: [message_id],
        stream_id: channel.id,
        stream_name: channel.name,
        content: '/me two **words**',
        rendered_content: '<p>/me two <strong>words</strong></p>',
        orig_content: 'one *word*',
        orig_rendered_content: '<p>one <em>word</em></p>',
        is_me_message: true,
        edit_timestamp: expect.any(Number),
        id: expect.any(Number),
      }
      expect(anns).toEqual([{ ...expected, flags: [] }])
      expect(bens).toEqual([{ ...expected, flags: ['starred'] }])
      expect(cems).toEqual([])
      const message = await fetch(ben, message_id)
      expect(message).toMatchObject({ content: '/me two **words**', is_me_message: true })
      expect(message.last_edit_timestamp).toBeGreaterThanOrEqual(message.timestamp)
      expect(message.edit_history).toEqual([
        {
          user_id: ann.userId,
          timestamp: message.last_edit_timestamp,
          prev_content: 'one *word*',
          prev_rendered_content: '<p>one <em>word</em></p>',
        },
      ])
    })

    test('leaves “(deleted)” in place of an empty text', async () => {
      const message_id = await sendToChannel(ann, channel.name)
      await ann.call(editMessage, { message_id, content: ' \n ' })
      expect(await fetch(ben, message_id)).toMatchObject({ content: '(deleted)' })
    })

    test('updates mentions, among the users who received it', async () => {
      const message_id = await sendToChannel(ann, channel.name, `hello @**${'x'}|${ben.userId}**`)
      const mention = (user: ApiClient) => `@**|${user.userId}**`
      const [, bens] = await eventsOf(system(), watchers, () =>
        ann.call(editMessage, { message_id, content: `${mention(ben)} ${mention(cem)} @**all**` }),
      )
      expect(bens).toMatchObject([
        { flags: ['mentioned', 'stream_wildcard_mentioned', 'wildcard_mentioned'] },
      ])
      expect((await fetch(cem, message_id)).flags).toEqual(['read', 'historical'])

      await ann.call(editMessage, { message_id, content: `nobody, @_**|${ben.userId}**` })
      expect((await fetch(ben, message_id)).flags).toEqual([])
    })

    test('a topic mention notifies the users who took part before the message, as when it was sent', async () => {
      const ownChannel = await newChannel(ann, { others: [ben, cem] })
      await sendToChannel(cem, ownChannel.name, 'I was here', 'lunch')
      const message_id = await sendToChannel(ann, ownChannel.name, '@**topic** come!', 'lunch')
      await sendToChannel(ben, ownChannel.name, 'coming', 'lunch')

      const [, bens, cems] = await eventsOf(system(), watchers, () =>
        ann.call(editMessage, { message_id, content: '@**topic** come at noon!' }),
      )

      const mentioned = ['topic_wildcard_mentioned', 'wildcard_mentioned']
      expect(cems).toMatchObject([{ flags: mentioned }])
      expect((await fetch(cem, message_id)).flags).toEqual(mentioned)
      expect(bens).toMatchObject([{ flags: [] }])
      expect((await fetch(ben, message_id)).flags).toEqual([])
    })

    test('of a direct message is delivered to the whole conversation', async () => {
      const message_id = await sendDirectly(ann, [ben])
      const [anns, bens, cems] = await eventsOf(system(), watchers, () =>
        ann.call(editMessage, { message_id, content: 'said otherwise' }),
      )
      expect(bens).toMatchObject([{ content: 'said otherwise', flags: [] }])
      expect(bens?.[0]).not.toHaveProperty('stream_id')
      expect(anns).toHaveLength(1)
      expect(cems).toEqual([])
    })

    test('of a protected history is delivered only to users who received the message', async () => {
      const cellar = await newChannel(ann, { isPrivate: true })
      const message_id = await sendToChannel(ann, cellar.name)
      await ann.call(endpoints.messaging.subscribe, {
        subscriptions: [{ name: cellar.name }],
        principals: [ben.userId],
      })
      const [anns, bens] = await eventsOf(system(), watchers, () =>
        ann.call(editMessage, { message_id, content: 'secret' }),
      )
      expect(anns).toHaveLength(1)
      expect(bens).toEqual([])
    })

    test.each([
      ['somebody else’s text', () => ben, { content: 'x' }],
      ['an administrator’s view of another’s text', () => system().owner, { content: 'x' }],
      ['nothing', () => ann, {}],
      ['the same topic', () => ann, { topic: 'a topic' }],
      ['text and channel', () => ann, { content: 'x', stream_id: 1 }],
      ['all of a topic without a move', () => ann, { content: 'x', propagate_mode: 'change_all' }],
      ['a text with NUL', () => ann, { content: 'a\0' }],
      ['an unknown channel', () => ann, { stream_id: 2 ** 40 }],
    ] as const)('cannot change %s', async (_, who, input) => {
      const message_id = await sendToChannel(ann, channel.name)
      expect(await who().send(editMessage, { message_id, ...input })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await fetch(ben, message_id)).toMatchObject({ content: 'hello', subject: 'a topic' })
    })

    test('rejects a user who can no longer see the message', async () => {
      const cellar = await newChannel(ann, { others: [ben], isPrivate: true })
      const message_id = await sendToChannel(ben, cellar.name)
      await ben.call(unsubscribe, { subscriptions: [cellar.name] })
      const refused = refusal('BAD_REQUEST')
      expect(await ben.send(editMessage, { message_id, content: 'x' })).toMatchObject(refused)
      expect(await ben.send(editMessage, { message_id: 2 ** 52, content: 'x' })).toMatchObject(refused)
      expect(await ben.send(getMessageHistory, { message_id })).toMatchObject(refused)
    })

    test('keeps the newest versions within 256 KiB, and the newest one of any length', async () => {
      const letter = (edit: number) => String.fromCharCode('a'.charCodeAt(0) + edit)
      const text = (edit: number) => letter(edit).repeat(9_900)
      const message_id = await sendToChannel(ann, channel.name, text(0), 'long')
      for (let edit = 1; edit <= 15; edit++) await ann.call(editMessage, { message_id, content: text(edit) })

      const kept = (await fetch(ben, message_id)).edit_history ?? []
      // Each takes 20 KB: the text, and again with its HTML.
      expect(kept.map(({ prev_content }) => prev_content?.at(0)).join('')).toBe('onmlkjihgfedc')
      const { message_history } = await ben.call(getMessageHistory, { message_id })
      expect(message_history.map(({ content }) => content.at(0)).join('')).toBe('cdefghijklmnop')

      const emoji = '👍'.repeat(4_000)
      await ann.call(editMessage, { message_id, content: emoji })
      await ann.call(editMessage, { message_id, content: 'short' })
      expect((await fetch(ben, message_id)).edit_history).toMatchObject([{ prev_content: emoji }])
    })

    test('trims an existing history that is too long, and so do moves', async () => {
      const message_id = await sendToChannel(ann, channel.name, 'old', 'of old')
      const old = { user_id: ann.userId, timestamp: 1, prev_content: 'x'.repeat(10_000) }
      const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
      await db.query(
        `update messages
            set last_edit_at = now(), edit_history = (select jsonb_agg($2::jsonb) from generate_series(1, 300))
          where id = $1`,
        [message_id, JSON.stringify(old)],
      )
      expect((await fetch(ben, message_id)).edit_history).toHaveLength(26)

      await ann.call(editMessage, { message_id, topic: 'of new' })
      const { rows } = await db.query<{ edits: number }>(
        'select jsonb_array_length(edit_history) as edits from messages where id = $1',
        [message_id],
      )
      await db.end()
      expect(rows).toEqual([{ edits: 27 }])
      const { edit_history } = await fetch(ben, message_id)
      expect(edit_history).toHaveLength(27)
      expect(edit_history?.[0]).toMatchObject({ prev_topic: 'of old', topic: 'of new' })
    })

    test('keeps every version for GET /messages/{message_id}/history', async () => {
      const message_id = await sendToChannel(ann, channel.name, 'a <b>', 'lunch')
      await ann.call(editMessage, { message_id, content: 'a c', topic: 'tea' })
      await ben.call(editMessage, { message_id, topic: 'cake' })

      const { message_history } = await ben.call(getMessageHistory, { message_id })
      const version = { timestamp: expect.any(Number) }
      expect(message_history).toEqual([
        {
          ...version,
          user_id: ann.userId,
          topic: 'lunch',
          content: 'a <b>',
          rendered_content: '<p>a &lt;b&gt;</p>',
        },
        {
          ...version,
          user_id: ann.userId,
          topic: 'tea',
          prev_topic: 'lunch',
          content: 'a c',
          rendered_content: '<p>a c</p>',
          prev_content: 'a <b>',
          prev_rendered_content: '<p>a &lt;b&gt;</p>',
          content_html_diff: expect.stringMatching(
            /^<p>a .*highlight_text_deleted.*highlight_text_inserted.*<\/p>$/,
          ),
        },
        {
          ...version,
          user_id: ben.userId,
          topic: 'cake',
          prev_topic: 'tea',
          content: 'a c',
          rendered_content: '<p>a c</p>',
        },
      ])
    })
  })
}
