import { endpoints } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { onePixel } from '../support/pictures.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  addReaction,
  addSubmessage,
  editMessage,
  getMessage,
  getMessages,
  removeReaction,
  subscribe,
  unsubscribe,
} = endpoints.messaging
const REACTIONS = { event_types: ['message', 'reaction', 'submessage'] }

export const reactionTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  let watchers: Watcher[]
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[ann, ben, cem] = await newUsers(system(), 3)
    channel = await newChannel(ann, { others: [ben] })
    watchers = [await watch(ann, REACTIONS), await watch(ben, REACTIONS), await watch(cem, REACTIONS)]
  })
  afterAll(() => stopWatching(watchers))

  const react = (client: ApiClient, message_id: number, emoji: object = { emoji_name: 'tada' }) =>
    client.send(addReaction, { message_id, ...emoji } as { message_id: number; emoji_name: string })
  const removeReactionOf = (client: ApiClient, message_id: number, emoji: object = { emoji_name: 'tada' }) =>
    client.send(removeReaction, { message_id, ...emoji })
  const messageOf = async (client: ApiClient, message_id: number) =>
    (await client.call(getMessage, { message_id })).message
  const reactionsOn = async (client: ApiClient, message_id: number) =>
    (await messageOf(client, message_id)).reactions.map(({ user_id, emoji_name }) => [user_id, emoji_name])

  describe('POST /messages/{message_id}/reactions', () => {
    test('adds the reaction and delivers it to everyone who has the message', async () => {
      const id = await sendToChannel(ann, channel.name)

      const [anns, bens, cems] = await eventsOf(system(), watchers, async () => {
        expect(await react(ben, id)).toMatchObject(success())
      })

      const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
      const { full_name } = await ben.call(endpoints.users.getOwnUser, {})
      const user = { user_id: ben.userId, email: ben.email, full_name }
      expect(anns).toEqual([
        {
          id: expect.any(Number),
          type: 'reaction',
          op: 'add',
          message_id: id,
          ...emoji,
          user_id: ben.userId,
          user,
        },
      ])
      expect(bens).toEqual(anns)
      expect(cems).toEqual([])
      expect((await messageOf(ann, id)).reactions).toEqual([{ ...emoji, user_id: ben.userId }])
    })

    test('keeps the order of reactions', async () => {
      const id = await sendToChannel(ann, channel.name)
      await react(ben, id, { emoji_name: 'heart' })
      await react(ann, id)
      await react(ben, id)

      expect(await reactionsOn(ann, id)).toEqual([
        [ben.userId, 'heart'],
        [ann.userId, 'tada'],
        [ben.userId, 'tada'],
      ])
    })

    test.each([
      ['by a name', { emoji_name: '+1' }],
      ['by name and code', { emoji_name: '+1', emoji_code: '1f44d' }],
      ['by all three', { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }],
    ])('joins existing reactions under their name, %s', async (_, emoji) => {
      const id = await sendToChannel(ann, channel.name)
      await react(ben, id, { emoji_name: 'thumbs_up' })

      expect(await react(ann, id, emoji)).toMatchObject(success())
      expect(await reactionsOn(ann, id)).toEqual([
        [ben.userId, 'thumbs_up'],
        [ann.userId, 'thumbs_up'],
      ])
      expect(await react(ann, id, emoji)).toMatchObject(refusal('REACTION_ALREADY_EXISTS'))
    })

    test('accepts the name of an emoji that is already in use', async () => {
      const id = await sendToChannel(ann, channel.name)
      const emoji = { emoji_name: 'tada', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }
      expect(await react(ann, id, emoji)).toMatchObject(refusal('BAD_REQUEST'))
      await react(ben, id, { emoji_name: 'thumbs_up' })

      expect(await react(ann, id, emoji)).toMatchObject(success())
    })

    test.each([
      ['up', '2b06'],
      ['gold', '1f947'],
      ['holiday_tree', '1f384'],
      ['first_place_medal', '1f947'],
      ['piñata', '1fa85'],
    ])('called %s is one with %s, and keeps that name', async (emoji_name, emoji_code) => {
      const emoji = { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }
      for (const emojiFields of [{ emoji_name }, { emoji_name, emoji_code }, emoji]) {
        const id = await sendToChannel(ann, channel.name)
        expect(await react(ben, id, emojiFields)).toMatchObject(success())
        expect((await messageOf(ann, id)).reactions).toMatchObject([emoji])
      }
    })

    test.each([
      ['name and code', { emoji_name: 'no_name', emoji_code: '1f44d' }],
      ['all three', { emoji_name: 'no_name', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }],
    ])('by %s accepts a name that only its client knows, and shows the canonical one', async (_, emoji) => {
      const id = await sendToChannel(ann, channel.name)

      const [anns] = await eventsOf(system(), watchers, async () => {
        expect(await react(ben, id, emoji)).toMatchObject(success())
      })
      expect(anns).toMatchObject([{ type: 'reaction', emoji_name: '+1', emoji_code: '1f44d' }])
      expect(await reactionsOn(ann, id)).toEqual([[ben.userId, '+1']])
      expect(await react(ben, id, emoji)).toMatchObject(refusal('REACTION_ALREADY_EXISTS'))
      expect(await removeReactionOf(ben, id, emoji)).toMatchObject(success())
      expect(await reactionsOn(ann, id)).toEqual([])
    })

    test('by the name of a custom emoji adds that one', async () => {
      const { owner } = system()
      const emoji_name = 'squared_ok'
      const picture = { name: 'x.png', content: onePixel, type: 'image/png' }
      const unicode = { emoji_name, emoji_code: '1f197', reaction_type: 'unicode_emoji' }
      const before = await sendToChannel(ann, channel.name)
      await react(ben, before, { emoji_name })
      await owner.uploadTo(`/api/v1/realm/emoji/${emoji_name}`, picture)

      const id = await sendToChannel(ann, channel.name, `:${emoji_name}:`)
      await react(ben, id, { emoji_name })
      expect(await messageOf(ann, id)).toMatchObject({
        content: expect.stringContaining('<img alt=":squared_ok:"'),
        reactions: [{ reaction_type: 'realm_emoji' }],
      })
      expect(await react(ben, id, unicode)).toMatchObject(success())
      expect((await messageOf(ann, id)).reactions).toMatchObject([{ reaction_type: 'realm_emoji' }, unicode])
      expect((await messageOf(ann, before)).reactions).toMatchObject([unicode])
      await owner.call(endpoints.realm.deactivateCustomEmoji, { emoji_name })
    })

    test.each([
      ['a name that is none', { emoji_name: 'no_name' }],
      ['no name', {}, 'REQUEST_VARIABLE_MISSING'],
      ['a code that is none', { emoji_name: 'tada', emoji_code: 'zzz' }],
      ['a code that is none, by an unknown name', { emoji_name: 'no_name', emoji_code: 'zzz' }],
      ['a code of another emoji', { emoji_name: 'tada', emoji_code: '1f44d' }],
      ['a type that is none', { emoji_name: 'tada', reaction_type: 'emoji' }],
      ['another type', { emoji_name: 'tada', reaction_type: 'realm_emoji' }],
      ['an extra emoji that is none', { emoji_name: 'tada', reaction_type: 'zulip_extra_emoji' }],
    ])('rejects %s', async (_, emoji, code = 'BAD_REQUEST') => {
      expect(await react(ann, await sendToChannel(ann, channel.name), emoji)).toMatchObject(refusal(code))
    })

    test('accepts the extra emoji', async () => {
      const id = await sendToChannel(ann, channel.name)

      expect(await react(ann, id, { emoji_name: 'zulip' })).toMatchObject(success())
      expect((await messageOf(ann, id)).reactions).toMatchObject([
        { emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' },
      ])
    })

    test('succeeds for exactly one of two concurrent requests', async () => {
      const id = await sendToChannel(ann, channel.name)

      const answers = await Promise.all(Array.from({ length: 6 }, () => react(ben, id)))

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expect(answer).toMatchObject(refusal('REACTION_ALREADY_EXISTS'))
      }
      expect(await reactionsOn(ann, id)).toEqual([[ben.userId, 'tada']])
    })

    test('gives users who never received the message a read copy', async () => {
      const id = await sendToChannel(ann, channel.name)

      const [, , cems] = await eventsOf(system(), watchers, () => react(cem, id))
      expect(cems).toMatchObject([{ type: 'reaction', op: 'add', message_id: id }])
      expect((await messageOf(cem, id)).flags).toEqual(['read', 'historical'])

      const [, , later] = await eventsOf(system(), watchers, () => react(ann, id))
      expect(later).toMatchObject([{ type: 'reaction', op: 'add', message_id: id, user_id: ann.userId }])
    })

    test('is delivered to users who left and still have the message, and to new subscribers', async () => {
      const ownChannel = await newChannel(ann, { others: [ben] })
      const id = await sendToChannel(ann, ownChannel.name)
      await ben.call(unsubscribe, { subscriptions: [ownChannel.name] })
      await cem.call(subscribe, { subscriptions: [{ name: ownChannel.name }] })

      const [, bens, cems] = await eventsOf(system(), watchers, () => react(ann, id))

      expect(bens?.map(({ type }) => type)).toEqual(['reaction'])
      expect(cems?.map(({ type }) => type)).toEqual(['reaction'])
    })

    test('is delivered only to users who have the message if history is not shared', async () => {
      const ownChannel = await newChannel(ann, { others: [ben], isPrivate: true, hasSharedHistory: false })
      const id = await sendToChannel(ann, ownChannel.name)
      await ann.call(subscribe, { subscriptions: [{ name: ownChannel.name }], principals: [cem.userId] })

      const [, bens, cems] = await eventsOf(system(), watchers, () => react(ann, id))

      expect(bens?.map(({ type }) => type)).toEqual(['reaction'])
      expect(cems?.map(({ type }) => type)).toEqual([])
      expect(await react(cem, id)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('is delivered to a direct conversation', async () => {
      const id = await sendDirectly(ann, [ben])

      const [anns, bens, cems] = await eventsOf(system(), watchers, () => react(ben, id))

      expect(anns).toMatchObject([{ type: 'reaction', message_id: id }])
      expect(bens).toEqual(anns)
      expect(cems).toEqual([])
    })

    test.each([
      ['does not exist', async () => 999_999_999],
      ['is beyond all integers', async () => Number.MAX_SAFE_INTEGER],
      ['is of others', () => sendDirectly(ann, [ben])],
    ])('rejects a message that %s', async (_, idOf) => {
      expect(await react(cem, await idOf())).toMatchObject(refusal('BAD_REQUEST'))
      expect(await removeReactionOf(cem, await idOf())).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('makes the user a participant of the topic', async () => {
      const ownChannel = await newChannel(ann, { others: [ben, cem] })
      await react(ben, await sendToChannel(ann, ownChannel.name, 'x', 'lunch'))

      const id = await sendToChannel(ann, ownChannel.name, '@**topic** come!', 'lunch')

      expect((await messageOf(ben, id)).flags).toContain('topic_wildcard_mentioned')
      expect((await messageOf(cem, id)).flags).not.toContain('topic_wildcard_mentioned')
    })

    test('appears on every message of a page', async () => {
      const ownChannel = await newChannel(ann)
      const ids = [
        await sendToChannel(ann, ownChannel.name),
        await sendToChannel(ann, ownChannel.name),
        await sendToChannel(ann, ownChannel.name),
      ]
      for (const id of ids.slice(1)) await react(ann, id)

      const { messages } = await ann.call(getMessages, {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [
          { operator: 'channel', operand: ownChannel.name },
          { operator: 'topic', operand: 'a topic' },
        ],
      })
      expect(messages.map(({ reactions }) => reactions.length)).toEqual([0, 1, 1])
    })
  })

  describe('DELETE /messages/{message_id}/reactions', () => {
    test.each([
      ['by name', { emoji_name: 'tada' }],
      ['by code', { emoji_code: '1f389' }],
      ['by code, whatever the name', { emoji_name: 'no_name', emoji_code: '1f389' }],
    ])('removes it %s and delivers that to everyone who has the message', async (_, emoji) => {
      const id = await sendToChannel(ann, channel.name)
      await react(ben, id)

      const [anns, , cems] = await eventsOf(system(), watchers, async () => {
        expect(await removeReactionOf(ben, id, emoji)).toMatchObject(success())
      })

      expect(anns).toMatchObject([
        {
          type: 'reaction',
          op: 'remove',
          message_id: id,
          emoji_name: 'tada',
          emoji_code: '1f389',
          user_id: ben.userId,
        },
      ])
      expect(cems).toEqual([])
      expect(await reactionsOn(ann, id)).toEqual([])
      expect(await removeReactionOf(ben, id, emoji)).toMatchObject(refusal('REACTION_DOES_NOT_EXIST'))
    })

    test.each([
      ['another name of the emoji', { emoji_name: 'first_place_medal' }],
      ['a name that is unknown, with the code', { emoji_name: 'no_name', emoji_code: '1f947' }],
    ])('removes it by %s', async (_, emoji) => {
      const id = await sendToChannel(ann, channel.name)
      await react(ben, id, { emoji_name: 'gold' })

      const [anns] = await eventsOf(system(), watchers, async () => {
        expect(await removeReactionOf(ben, id, emoji)).toMatchObject(success())
      })
      expect(anns).toMatchObject([{ op: 'remove', emoji_name: 'gold', emoji_code: '1f947' }])
      expect(await reactionsOn(ann, id)).toEqual([])
    })

    test.each([
      ['a reaction of another', { emoji_name: 'tada' }, 'REACTION_DOES_NOT_EXIST'],
      ['another emoji', { emoji_name: 'heart' }, 'REACTION_DOES_NOT_EXIST'],
      ['another type', { emoji_code: '1f389', reaction_type: 'realm_emoji' }, 'REACTION_DOES_NOT_EXIST'],
      ['a name that is none', { emoji_name: 'no_name' }, 'BAD_REQUEST'],
      ['neither name nor code', {}, 'BAD_REQUEST'],
    ])('rejects %s', async (_, emoji, code) => {
      const id = await sendToChannel(ann, channel.name)
      await react(ben, id)

      expect(await removeReactionOf(ann, id, emoji)).toMatchObject(refusal(code))
    })

    test('requires the type of a custom emoji', async () => {
      const id = await sendToChannel(ann, channel.name)
      await react(ann, id, { emoji_name: 'zulip' })

      expect(await removeReactionOf(ann, id, { emoji_name: 'zulip' })).toMatchObject(
        refusal('REACTION_DOES_NOT_EXIST'),
      )
      const extra = { emoji_name: 'zulip', reaction_type: 'zulip_extra_emoji' }
      expect(await removeReactionOf(ann, id, extra)).toMatchObject(success())
    })
  })

  describe('POST /submessage', () => {
    const attach = (client: ApiClient, message_id: number, content = '{"type":"vote"}') =>
      client.send(addSubmessage, { message_id, msg_type: 'widget', content })

    test('attaches to the message and is delivered to everyone who has it, after its sender’s first one', async () => {
      const id = await sendToChannel(ann, channel.name)
      expect(await attach(ben, id)).toMatchObject(refusal('BAD_REQUEST'))

      const [anns, bens, cems] = await eventsOf(system(), watchers, async () => {
        expect(await attach(ann, id, '{}')).toMatchObject(success())
        expect(await attach(ben, id)).toMatchObject(success())
      })

      const attached = (sender: ApiClient, content: string) => ({
        message_id: id,
        sender_id: sender.userId,
        msg_type: 'widget',
        content,
      })
      const expected = [attached(ann, '{}'), attached(ben, '{"type":"vote"}')]
      expect(anns).toEqual(
        expected.map((fields) => ({
          id: expect.any(Number),
          type: 'submessage',
          submessage_id: expect.any(Number),
          ...fields,
        })),
      )
      expect(bens).toEqual(anns)
      expect(cems).toEqual([])
      const ids = anns?.map(({ submessage_id }) => submessage_id)
      expect((await messageOf(ben, id)).submessages).toEqual(
        expected.map((fields, index) => ({ id: ids?.[index], ...fields })),
      )
    })

    test('a poll starts with its question, in the event and in later fetches', async () => {
      let id = 0
      const [anns, bens] = await eventsOf(system(), watchers, async () => {
        id = await sendToChannel(ann, channel.name, '/poll Lunch? "message_id":null\nPizza\nSoup')
      })

      const widget = {
        widget_type: 'poll',
        extra_data: { question: 'Lunch? "message_id":null', options: ['Pizza', 'Soup'] },
      }
      const { submessages } = await messageOf(ben, id)
      expect(submessages).toEqual([
        {
          id: expect.any(Number),
          message_id: id,
          sender_id: ann.userId,
          msg_type: 'widget',
          content: JSON.stringify(widget),
        },
      ])
      for (const events of [anns, bens])
        expect(events).toMatchObject([{ type: 'message', message: { id, submessages } }])
      // Its sender has the first one, so anyone may vote.
      expect(await attach(ben, id, '{"type":"vote","key":"canned,0","vote":1}')).toMatchObject(success())
    })

    const forms = {
      zform: {
        type: 'choices',
        heading: 'Which answer?',
        choices: [{ short_name: 'A', long_name: 'The first', reply: 'answer A', type: 'multiple_choice' }],
      },
      poll: { question: 'Lunch?', options: ['Pizza'] },
      todo: { task_list_title: 'Party', tasks: [{ task: 'cake', desc: '' }] },
    }
    const sendWith = (widget_content: string, content = 'Which answer?') =>
      ann.request('POST', '/messages', [
        ['type', 'channel'],
        ['to', channel.name],
        ['topic', 'a topic'],
        ['content', content],
        ['widget_content', widget_content],
      ])

    test.each(Object.entries(forms))(
      'a %s that a message is sent with is its first',
      async (widget_type, extra_data) => {
        const widget = JSON.stringify({ widget_type, extra_data })
        let id = 0
        const [anns, bens] = await eventsOf(system(), watchers, async () => {
          const { status, body } = await sendWith(widget, '/poll something else?')
          expect(status).toBe(200)
          id = body['id'] as number
        })

        const { submessages } = await messageOf(ben, id)
        expect(submessages).toMatchObject([
          { message_id: id, sender_id: ann.userId, msg_type: 'widget', content: widget },
        ])
        for (const events of [anns, bens])
          expect(events).toMatchObject([{ type: 'message', message: { id, submessages } }])
        const edit = { message_id: id, content: 'x' }
        expect(await ann.send(editMessage, edit)).toMatchObject(
          refusal('BAD_REQUEST', { msg: 'Widgets cannot be edited.' }),
        )
      },
    )

    test.each([
      ['what is no JSON', 'hello'],
      ['a list', '[]'],
      ['no type', JSON.stringify({ extra_data: forms.poll })],
      ['an unknown type', JSON.stringify({ widget_type: 'game', extra_data: {} })],
      [
        'a form of an unknown type',
        JSON.stringify({ widget_type: 'zform', extra_data: { ...forms.zform, type: 'text' } }),
      ],
      [
        'a form without choices',
        JSON.stringify({ widget_type: 'zform', extra_data: { type: 'choices', heading: 'x' } }),
      ],
      [
        'a choice without a reply',
        JSON.stringify({
          widget_type: 'zform',
          extra_data: { ...forms.zform, choices: [{ short_name: 'A', long_name: 'B' }] },
        }),
      ],
      [
        'a poll with more than that',
        JSON.stringify({ widget_type: 'poll', extra_data: { ...forms.poll, more: 1 } }),
      ],
      [
        'a list of numbers',
        JSON.stringify({ widget_type: 'todo', extra_data: { ...forms.todo, tasks: [1] } }),
      ],
      [
        'more than a message holds',
        JSON.stringify({ widget_type: 'poll', extra_data: { question: 'x'.repeat(10_000), options: [] } }),
      ],
    ])('rejects a message with %s', async (_, widget) => {
      expect(await sendWith(widget)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each([
      ['/poll Lunch?\nPizza', '{"type":"question","question":"Dinner?"}', true],
      ['/poll Lunch?\nPizza', '{"type":"vote","key":"canned,0","vote":100}', false],
      ['/poll Lunch?\nPizza', '{"type":"strike","key":"0,canned"}', false],
      ['/todo Party\ncake', '{"type":"new_task_list_title","title":"Feast"}', true],
      ['/todo Party\ncake', '{"type":"close"}', false],
    ])('of %j rejects a %s from other users', async (text, content, isForAuthor) => {
      const id = await sendToChannel(ann, channel.name, text)

      expect(await attach(ben, id, content)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await attach(ann, id, content)).toMatchObject(isForAuthor ? success() : refusal('BAD_REQUEST'))
      expect((await messageOf(ann, id)).submessages).toHaveLength(isForAuthor ? 2 : 1)
    })

    test.each([
      ['what is no JSON', 'hello'],
      ['nothing', ''],
      ['more than a message holds', JSON.stringify('x'.repeat(10_000))],
    ])('rejects %s', async (_, content) => {
      expect(await attach(ann, await sendToChannel(ann, channel.name), content)).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('is limited to a megabyte for each message, even under concurrent requests', async () => {
      const id = await sendToChannel(ann, channel.name)
      // 40 KB each.
      const content = JSON.stringify('\u{1F642}'.repeat(9_990))

      const answers = await Promise.all(Array.from({ length: 30 }, () => attach(ann, id, content)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(26)
      const refused = refusal('BAD_REQUEST', {
        msg: 'The submessages of a message may have at most 1 MiB in all',
      })
      expect(answers.filter(({ status }) => status !== 200)).toMatchObject(Array(4).fill(refused))
      expect((await messageOf(ben, id)).submessages).toHaveLength(26)
      expect(await attach(ben, id, '{}')).toMatchObject(success())
    })

    test('is limited to ten thousand for each message, even under concurrent requests', async () => {
      const id = await sendToChannel(ann, channel.name)
      const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
      await db.query(
        `insert into submessages (message_id, sender_id, msg_type, content)
         select $1, $2, 'widget', '{}' from generate_series(1, 9999)`,
        [id, ann.userId],
      )
      await db.end()

      const answers = await Promise.all([ann, ben, ann, ben].map((client) => attach(client, id)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await attach(ann, id)).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'A message can have at most 10000 submessages' }),
      )
      expect((await messageOf(ben, id)).submessages).toHaveLength(10_000)
    })

    test('rejects a message without access', async () => {
      expect(await attach(cem, await sendDirectly(ann, [ben]))).toMatchObject(refusal('BAD_REQUEST'))
      expect(await attach(cem, -1)).toMatchObject(refusal('BAD_REQUEST'))
    })
  })
}
