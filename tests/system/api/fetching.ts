import { endpoints } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

const { getMessage, getMessages, subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging
type Input = Parameters<ApiClient['call']>[1]
type Term = { operator: string; operand: unknown; negated?: boolean }

export const fetchingTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  let channel: { name: string; id: number; noticeId: number }
  /** Ann's in the channel, in order: lunch, dinner, lunch, lunch (Ben's), dinner. */
  let ids: number[]
  beforeAll(async () => {
    ;[ann, ben, cem] = await newUsers(system(), 3)
    channel = await newChannel(ann, { others: [ben] })
    ids = [
      await sendToChannel(ann, channel.name, 'one', 'lunch'),
      await sendToChannel(ann, channel.name, 'two', 'dinner'),
      await sendToChannel(ann, channel.name, 'three', 'Lunch'),
      await sendToChannel(ben, channel.name, 'four', 'lunch'),
      await sendToChannel(ann, channel.name, 'five', 'dinner'),
    ]
  })
  const inChannel = (): Term => ({ operator: 'channel', operand: channel.name })
  const fetchAs = (client: ApiClient, input: Record<string, unknown>) =>
    client.call(getMessages, { num_before: 0, num_after: 0, ...input } as never as Input & {
      num_before: number
      num_after: number
    })
  const page = async (input: Record<string, unknown>) => {
    const { messages, ...rest } = await fetchAs(ann, { narrow: [inChannel()], ...input })
    // The notice of the channel's creation precedes all of them, at -1.
    return { positions: messages.map(({ id }) => ids.indexOf(id)), ...rest }
  }

  describe('GET /messages', () => {
    test('returns messages around an anchor, from oldest to newest', async () => {
      expect(await page({ anchor: String(ids[2]), num_before: 1, num_after: 1 })).toMatchObject({
        positions: [1, 2, 3],
        anchor: ids[2],
        found_anchor: true,
        found_oldest: false,
        found_newest: false,
        history_limited: false,
      })
    })

    test('returns the nearest messages of a page that would be too large, and says that there are more', async () => {
      // Of another user: otherwise everything that Ann fetches afterwards would be cut, too.
      const [dan] = await newUsers(system(), 1)
      const { name } = await newChannel(dan)
      // Each becomes most of a megabyte of HTML.
      // At once, they would be too much to render.
      const sent: number[] = []
      while (sent.length < 30) sent.push(await sendToChannel(dan, name, '\u{1F642}'.repeat(10_000), 'huge'))
      const narrow = [
        { operator: 'channel', operand: name },
        { operator: 'topic', operand: 'huge' },
      ]
      const newest = await fetchAs(dan, { narrow, anchor: 'newest', num_before: 100 })
      expect(newest).toMatchObject({ found_oldest: false, found_newest: true })

      const rest = await fetchAs(dan, {
        narrow,
        anchor: String(newest.messages[0]?.id),
        num_before: 100,
        include_anchor: false,
      })
      const seen = [...rest.messages, ...newest.messages]
      expect([seen.length, new Set(seen.map(({ id }) => id)).size, rest.found_oldest]).toEqual([30, 30, true])
      expect(seen.some(({ id }) => id === sent[0])).toBe(true)
      // By ID nothing would say that some are missing.
      const ofIds = (client: ApiClient, message_ids: number[]) => client.send(getMessages, { message_ids })
      expect(
        await ofIds(
          dan,
          seen.map(({ id }) => id),
        ),
      ).toMatchObject(refusal('BAD_REQUEST'))
      expect(
        await ofIds(
          dan,
          rest.messages.map(({ id }) => id),
        ),
      ).toMatchObject(success())
    })

    test('counts reactions and submessages in the size of the page', async () => {
      const [dan] = await newUsers(system(), 1)
      const { name } = await newChannel(dan)
      const sent = await Promise.all(
        Array.from({ length: 30 }, () => sendToChannel(dan, name, 'small', 'attached')),
      )
      const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
      await db.query(
        `insert into submessages (message_id, sender_id, msg_type, content)
         select unnest($1::bigint[]), $2, 'widget', to_json(repeat('x', 1000000))`,
        [sent, dan.userId],
      )
      await db.end()

      const narrow = [{ operator: 'channel', operand: name }]
      const newest = await fetchAs(dan, { narrow, anchor: 'newest', num_before: 100 })
      expect(newest).toMatchObject({ found_oldest: false, found_newest: true })
      expect(newest.messages.length).toBeGreaterThan(10)
      expect(newest.messages.length).toBeLessThan(18)
      expect(newest.messages.every(({ submessages }) => submessages.length === 1)).toBe(true)
    })

    test('says when an end was reached', async () => {
      expect(await page({ anchor: String(ids[2]), num_before: 2, num_after: 2 })).toMatchObject({
        found_oldest: false,
        found_newest: false,
      })
      expect(await page({ anchor: String(ids[2]), num_before: 4, num_after: 3 })).toMatchObject({
        positions: [-1, 0, 1, 2, 3, 4],
        found_oldest: true,
        found_newest: true,
      })
    })

    test('can exclude the anchor, also at an end of the range', async () => {
      const anchor = String(ids[2])

      expect(await page({ anchor, num_after: 1, include_anchor: false })).toMatchObject({
        positions: [3],
        found_anchor: false,
      })
      expect(await page({ anchor, num_before: 1, include_anchor: false })).toMatchObject({ positions: [1] })
      expect(
        await ann.send(getMessages, { anchor, num_before: 1, num_after: 1, include_anchor: false }),
      ).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('starts from either end', async () => {
      expect(await page({ anchor: 'newest', num_before: 2, num_after: 7 })).toMatchObject({
        positions: [3, 4],
        anchor: 10_000_000_000_000_000,
        found_anchor: false,
        found_newest: true,
        found_oldest: false,
      })
      expect(await page({ anchor: 'oldest', num_before: 3, num_after: 2 })).toMatchObject({
        positions: [-1, 0],
        anchor: 0,
        found_oldest: true,
        found_newest: false,
      })
      expect(await page({ anchor: '-7', num_after: 1 })).toMatchObject({ positions: [-1], anchor: 0 })
    })

    test('starts at the first unread message, also with the older parameter', async () => {
      await ben.call(updateMessageFlags, { messages: ids.slice(0, 3), op: 'add', flag: 'read' })
      const narrow = [inChannel()]

      const modern = await fetchAs(ben, { anchor: 'first_unread', num_after: 1, narrow })
      const legacy = await fetchAs(ben, { use_first_unread_anchor: true, anchor: '0', num_after: 1, narrow })

      expect(modern).toMatchObject({ anchor: ids[3], found_anchor: true })
      expect(legacy).toEqual(modern)
    })

    test('starts at the newest message if none is unread', async () => {
      const quiet = await newChannel(ann, { others: [ben] })
      const id = await sendToChannel(ann, quiet.name)
      await ben.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })

      const answer = await fetchAs(ben, {
        anchor: 'first_unread',
        num_before: 1,
        narrow: [{ operator: 'channel', operand: quiet.id }],
      })

      expect(answer).toMatchObject({ anchor: 10_000_000_000_000_000, found_newest: true })
      expect(answer.messages.map((message) => message.id)).toEqual([id])
    })

    test('returns the source text on request', async () => {
      const { messages } = await fetchAs(ann, { anchor: String(ids[0]), apply_markdown: false })

      expect(messages).toMatchObject([{ content: 'one', content_type: 'text/x-markdown' }])
    })

    test('omits avatars unless requested', async () => {
      const anchor = String(ids[0])

      expect((await fetchAs(ann, { anchor })).messages).toMatchObject([{ avatar_url: null }])
      expect((await fetchAs(ann, { anchor, client_gravatar: false })).messages).toMatchObject([
        { avatar_url: expect.stringMatching(/^https:/) },
      ])
    })

    test.each<[string, Record<string, string>, string]>([
      ['no anchor', { anchor: '' }, 'BAD_REQUEST'],
      ['a word for an anchor', { anchor: 'yesterday' }, 'BAD_REQUEST'],
      ['more than 5000 messages', { num_before: '5000', num_after: '1' }, 'BAD_REQUEST'],
      ['a negative count', { num_before: '-1' }, 'BAD_REQUEST'],
      ['a fraction', { num_before: '1.5' }, 'BAD_REQUEST'],
      ['a count beyond all integers', { num_before: '9007199254740992' }, 'BAD_REQUEST'],
      ['a narrow that is no JSON', { narrow: 'channel:general' }, 'REQUEST_VARIABLE_INVALID'],
      ['a narrow that is no list', { narrow: '{}' }, 'REQUEST_VARIABLE_INVALID'],
      ['a pair of three', { narrow: '[["stream","a","b"]]' }, 'REQUEST_VARIABLE_INVALID'],
      ['a term without operand', { narrow: '[{"operator":"topic"}]' }, 'BAD_REQUEST'],
      [
        'an ID that is no number for a conversation',
        { narrow: '[{"operator":"dm","operand":["x"]}]' },
        'BAD_REQUEST',
      ],
    ])('rejects %s', async (_, change, code) => {
      const valid = { anchor: 'newest', num_before: '1', num_after: '0' }

      expect(await ann.request('GET', '/messages', Object.entries({ ...valid, ...change }))).toMatchObject(
        refusal(code),
      )
    })

    test('rejects deeply nested JSON', async () => {
      const depth = 7_000
      const response = await fetch(
        `${ann.baseUrl}/api/v1/messages?anchor=newest&num_before=1&num_after=0&narrow=${'['.repeat(depth)}${']'.repeat(depth)}`,
        { headers: { authorization: `Basic ${btoa(`${ann.email}:${ann.account?.apiKey}`)}` } },
      )

      expect(response.status).toBe(400)
    })
  })

  describe('a narrow', () => {
    const find = async (...terms: unknown[]) => {
      const { messages } = await fetchAs(ann, { anchor: 'newest', num_before: 100, narrow: terms })
      return messages.map(({ id }) => ids.indexOf(id)).filter((position) => position >= 0)
    }

    test.each<[string, () => unknown[], number[]]>([
      ['a channel by name', () => [inChannel()], [0, 1, 2, 3, 4]],
      ['a channel by ID', () => [{ operator: 'channel', operand: channel.id }], [0, 1, 2, 3, 4]],
      ['a channel in the old way', () => [['stream', channel.name]], [0, 1, 2, 3, 4]],
      ['a topic, whatever its case', () => [inChannel(), { operator: 'topic', operand: 'LUNCH' }], [0, 2, 3]],
      [
        'all topics but one',
        () => [inChannel(), { operator: 'topic', operand: 'lunch', negated: true }],
        [1, 4],
      ],
      ['a sender by address', () => [inChannel(), { operator: 'sender', operand: ben.email }], [3]],
      ['a sender by ID', () => [inChannel(), { operator: 'sender', operand: ben.userId }], [3]],
      [
        'all senders but one',
        () => [inChannel(), { operator: 'sender', operand: ben.userId, negated: true }],
        [0, 1, 2, 4],
      ],
      ['a message', () => [{ operator: 'id', operand: ids[1] }], [1]],
      ['a message as text', () => [{ operator: 'id', operand: String(ids[1]) }], [1]],
      [
        'near, which filters nothing',
        () => [inChannel(), { operator: 'near', operand: '1' }],
        [0, 1, 2, 3, 4],
      ],
      ['not the channel', () => [{ ...inChannel(), negated: true }], []],
      ['direct messages', () => [{ operator: 'is', operand: 'dm' }], []],
      [
        'not direct messages',
        () => [inChannel(), { operator: 'is', operand: 'dm', negated: true }],
        [0, 1, 2, 3, 4],
      ],
      ['two channels at once', () => [inChannel(), { operator: 'channel', operand: 'general' }], []],
      ['nothing', () => [], [0, 1, 2, 3, 4]],
    ])('can request %s', async (_, terms, positions) => {
      expect(await find(...terms())).toEqual(positions)
    })

    test('finds a conversation by its users, however they are named', async () => {
      const direct = await sendDirectly(ann, [ben])
      const group = await sendDirectly(ann, [ben, cem])
      const idsOf = async (operand: unknown, operator = 'dm') =>
        (
          await fetchAs(ann, { anchor: 'newest', num_before: 9, narrow: [{ operator, operand }] })
        ).messages.map(({ id }) => id)

      expect(await idsOf([ben.userId])).toContain(direct)
      expect(await idsOf([ben.userId])).not.toContain(group)
      expect(await idsOf([ben.userId, ann.userId])).toContain(direct)
      expect(await idsOf(`${ben.email},${cem.email}`)).toEqual([group])
      expect(await idsOf(`${ben.email},${cem.email}`, 'pm-with')).toEqual([group])
      expect(await idsOf([cem.userId])).toEqual([])
    })

    test('finds flagged messages', async () => {
      await ann.call(updateMessageFlags, { messages: [ids[1] ?? 0], op: 'add', flag: 'starred' })
      await ann.call(updateMessageFlags, { messages: [ids[0] ?? 0], op: 'add', flag: 'read' })

      expect(await find({ operator: 'is', operand: 'starred' })).toEqual([1])
      expect(await find(inChannel(), { operator: 'is', operand: 'unread' })).toEqual([1, 2, 3, 4])
      expect(await find(inChannel(), { operator: 'is', operand: 'unread', negated: true })).toEqual([0])
    })

    test('finds mentions of the caller and of everyone', async () => {
      const { user } = await ann.call(endpoints.users.getUser, { user_id: ben.userId })
      const own = await sendToChannel(ann, channel.name, `@**${user.full_name}**`, 'mentions')
      const everyone = await sendToChannel(ann, channel.name, '@**all**', 'mentions')

      const narrow = [inChannel(), { operator: 'is', operand: 'mentioned' }]
      const { messages } = await fetchAs(ben, { anchor: 'newest', num_before: 9, narrow })

      expect(messages.map(({ id }) => id)).toEqual([own, everyone])
    })

    test('finds resolved topics', async () => {
      const id = await sendToChannel(ann, channel.name, 'done', '✔ solved')

      const narrow = [inChannel(), { operator: 'is', operand: 'resolved' }]
      const { messages } = await fetchAs(ben, { anchor: 'newest', num_before: 9, narrow })

      expect(messages.map((message) => message.id)).toEqual([id])
    })

    test.each<[string, Term[]]>([
      ['an operator that is none', [{ operator: 'colour', operand: 'red' }]],
      ['a property of all objects', [{ operator: '__proto__', operand: 'x' }]],
      ['a channel that does not exist', [{ operator: 'channel', operand: 'no such channel' }]],
      ['a sender who does not exist', [{ operator: 'sender', operand: 'nobody@example.com' }]],
      ['a conversation with an unknown user', [{ operator: 'dm', operand: [999_999] }]],
      ['a conversation without users', [{ operator: 'dm', operand: [] }]],
      ['a state that is none', [{ operator: 'is', operand: 'blue' }]],
      ['an ID that is none', [{ operator: 'id', operand: 'x' }]],
      ['an ID beyond all integers', [{ operator: 'id', operand: '9223372036854775808' }]],
      [
        'channel and conversation',
        [
          { operator: 'channel', operand: 'general' },
          { operator: 'dm', operand: [1] },
        ],
      ],
      [
        'topic and conversation',
        [
          { operator: 'topic', operand: 'a' },
          { operator: 'is', operand: 'private' },
        ],
      ],
    ])('rejects %s', async (_, narrow) => {
      const answer = await ann.send(getMessages, { anchor: 'newest', num_before: 1, num_after: 0, narrow })

      expect(answer).toMatchObject(refusal('BAD_NARROW', { desc: expect.stringMatching(/./) }))
    })
  })

  describe('message history', () => {
    test('of a public channel is open to users who never subscribed, marked as history', async () => {
      const narrow = [inChannel()]
      const { messages } = await fetchAs(cem, { anchor: 'oldest', num_after: 2, narrow })

      expect(messages.map(({ id, flags }) => ({ id, flags }))).toEqual([
        { id: channel.noticeId, flags: ['read', 'historical'] },
        { id: ids[0], flags: ['read', 'historical'] },
      ])
    })

    test('is not searched unless the channel is named', async () => {
      const { messages } = await fetchAs(cem, { anchor: 'newest', num_before: 100 })

      expect(messages.filter(({ id }) => ids.includes(id))).toEqual([])
    })

    test('of a private channel with protected history starts with the subscription', async () => {
      const hidden = await newChannel(ann, { isPrivate: true })
      const before = await sendToChannel(ann, hidden.name, 'before')
      await ann.call(subscribe, { subscriptions: [{ name: hidden.name }], principals: [cem.userId] })
      const during = await sendToChannel(ann, hidden.name, 'during')

      const narrow = [{ operator: 'channel', operand: hidden.id }]
      const { messages } = await fetchAs(cem, { anchor: 'newest', num_before: 9, narrow })

      expect(messages.map(({ id }) => id)).toEqual([during])
      expect(await cem.send(getMessage, { message_id: before })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await cem.send(getMessage, { message_id: during })).toMatchObject(success())
    })

    test('of a private channel with shared history is complete', async () => {
      const shared = await newChannel(ann, { isPrivate: true, hasSharedHistory: true })
      const before = await sendToChannel(ann, shared.name, 'before')
      await ann.call(subscribe, { subscriptions: [{ name: shared.name }], principals: [cem.userId] })

      const narrow = [{ operator: 'channel', operand: shared.id }]
      const { messages } = await fetchAs(cem, { anchor: 'newest', num_before: 9, narrow })

      expect(messages.map(({ id }) => id)).toEqual([shared.noticeId, before])
    })

    test('includes received messages of a private channel after leaving, but no longer by ID', async () => {
      const hidden = await newChannel(ann, { isPrivate: true, others: [cem] })
      const received = await sendToChannel(ann, hidden.name, 'received')
      await cem.call(unsubscribe, { subscriptions: [hidden.name] })
      const missed = await sendToChannel(ann, hidden.name, 'missed')

      const { messages } = await fetchAs(cem, { anchor: 'newest', num_before: 9 })

      const seen = messages.map(({ id }) => id)
      expect(seen).toContain(received)
      expect(seen).not.toContain(missed)
      expect(await cem.send(getMessage, { message_id: received })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('GET /messages/{message_id}', () => {
    test('returns HTML, or the source text on request, and always the raw content beside it', async () => {
      const message_id = await sendToChannel(ann, channel.name, '*x*')

      expect(await ann.call(getMessage, { message_id })).toMatchObject({
        message: { content: '<p><em>x</em></p>', content_type: 'text/html' },
        raw_content: '*x*',
      })
      expect(await ann.call(getMessage, { message_id, apply_markdown: false })).toMatchObject({
        message: { content: '*x*', content_type: 'text/x-markdown' },
      })
    })

    test.each(['0', '999999', '9007199254740991', '9007199254740992', '9223372036854775808'])(
      'rejects %s',
      async (id) => {
        expect(await ann.request('GET', `/messages/${id}`)).toMatchObject(refusal('BAD_REQUEST'))
      },
    )
  })
}
