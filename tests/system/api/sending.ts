import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const { getMessage, getMessages, renderMessage, subscribe } = endpoints.messaging

export const sendingTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[ann, ben, cem] = await newUsers(system(), 3)
    channel = await newChannel(ann, { others: [ben] })
  })
  const send = (client: ApiClient, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    client.request('POST', '/messages', Object.entries(fields), { headers })
  const stored = async (client: ApiClient, id: unknown) =>
    (await client.call(getMessage, { message_id: id as number })).message

  describe('POST /messages to a channel', () => {
    test('stores the message as clients fetch it', async () => {
      const before = Math.floor(Date.now() / 1000)
      const id = await sendToChannel(ann, channel.name, 'It **works**!', 'a topic')

      const message = await stored(ben, id)

      expect(message).toMatchObject({
        id,
        type: 'stream',
        stream_id: channel.id,
        display_recipient: channel.name,
        subject: 'a topic',
        content: '<p>It <strong>works</strong>!</p>',
        content_type: 'text/html',
        sender_id: ann.userId,
        sender_email: ann.email,
        is_me_message: false,
        reactions: [],
        submessages: [],
        topic_links: [],
        flags: [],
      })
      expect(message.timestamp).toBeGreaterThanOrEqual(before)
      expect(message).not.toHaveProperty('last_edit_timestamp')
    })

    test.each<[string, (usedChannel: typeof channel) => Record<string, string>]>([
      ['type channel and a name', ({ name }) => ({ type: 'channel', to: name })],
      ['type stream and an ID', ({ id }) => ({ type: 'stream', to: String(id) })],
      ['a name as JSON', ({ name }) => ({ type: 'stream', to: JSON.stringify(name) })],
      ['a list of one name', ({ name }) => ({ type: 'channel', to: JSON.stringify([name]) })],
      ['a list of one ID', ({ id }) => ({ type: 'channel', to: `[${id}]` })],
      ['a name in another case', ({ name }) => ({ type: 'channel', to: name.toUpperCase() })],
      ['the topic as subject', ({ name }) => ({ type: 'channel', to: name, topic: '', subject: 'a topic' })],
    ])('accepts %s', async (_, address) => {
      const { topic = 'a topic', ...fields } = address(channel)
      const answer = await send(ann, { content: 'x', ...fields, ...(topic === '' ? {} : { topic }) })

      expect(answer).toMatchObject(success({ id: expect.any(Number) }))
      expect(await stored(ben, answer.body['id'])).toMatchObject({
        stream_id: channel.id,
        subject: 'a topic',
      })
    })

    test.each<[string, Record<string, string>, string, Record<string, unknown>]>([
      [
        'a name that no channel has',
        { to: 'no <such> channel' },
        'STREAM_DOES_NOT_EXIST',
        { stream: 'no &lt;such&gt; channel' },
      ],
      ['an ID that no channel has', { to: '999999' }, 'STREAM_DOES_NOT_EXIST', { stream_id: 999_999 }],
      ['a negative ID', { to: '-1' }, 'STREAM_DOES_NOT_EXIST', { stream_id: -1 }],
      ['an ID beyond all integers', { to: '9223372036854775808' }, 'BAD_REQUEST', {}],
      ['two channels', { to: '["general","random"]' }, 'BAD_REQUEST', {}],
      ['nothing to send to', { to: '' }, 'BAD_REQUEST', {}],
      ['an object', { to: '{}' }, 'BAD_REQUEST', {}],
      ['a topic of two lines', { topic: 'a\nb' }, 'BAD_REQUEST', {}],
      ['blank content', { content: ' \n ' }, 'BAD_REQUEST', {}],
      ['content with NUL', { content: 'a\0b' }, 'BAD_REQUEST', {}],
      ['an unknown type', { type: 'huddle' }, 'BAD_REQUEST', {}],
      ['a boolean in another language', { read_by_sender: 'True' }, 'BAD_REQUEST', {}],
      [
        'topic and subject',
        { subject: 'b' },
        'REQUEST_CONFUSING_VAR',
        { var_name1: 'topic', var_name2: 'subject' },
      ],
      ['queue_id alone', { queue_id: 'q' }, 'BAD_REQUEST', {}],
    ])('rejects %s', async (_, change, code, details) => {
      const valid = { type: 'channel', to: channel.name, topic: 'a topic', content: 'x' }

      expect(await send(ann, { ...valid, ...change })).toMatchObject(refusal(code, details))
    })

    test('accepts local_id without queue_id, and echoes it nowhere', async () => {
      const watchers = [await watch(ann, { event_types: ['message'] })]
      const message = { type: 'channel', to: channel.name, topic: 'a topic', content: 'x', local_id: '17.01' }
      const [events = []] = await eventsOf(system(), watchers, async () => {
        expect(await send(ann, message)).toMatchObject(success())
      })

      expect(events).toHaveLength(1)
      expect(events[0]).not.toHaveProperty('local_message_id')
      await stopWatching(watchers)
    })

    test('reveals no more about a private channel than the sender can see', async () => {
      const { id, name } = await newChannel(ann, { isPrivate: true })
      const msgOf = async (to: string) => {
        const answer = await send(ben, { type: 'channel', to, topic: 'a', content: 'b' })
        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
        return answer.body['msg']
      }

      expect(await msgOf(String(id))).toBe(`Not authorized to send to channel with ID '${id}'`)
      expect(await msgOf(name)).toBe(`Not authorized to send to channel '${name}'`)
    })

    test('rejects a message without topic', async () => {
      const answer = await send(ann, { type: 'channel', to: channel.name, content: 'x' })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('accepts members without subscription in a public channel, not in a private one', async () => {
      const hidden = await newChannel(ann, { isPrivate: true })

      expect(await send(cem, { type: 'channel', to: channel.name, topic: 't', content: 'x' })).toMatchObject(
        success(),
      )
      expect(await send(cem, { type: 'channel', to: hidden.name, topic: 't', content: 'x' })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(
        await send(system().owner, { type: 'channel', to: String(hidden.id), topic: 't', content: 'x' }),
      ).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('applies the post policy', async () => {
      const name = 'announcements of a few'
      await system().owner.call(subscribe, {
        subscriptions: [{ name }],
        principals: [ann.userId],
        stream_post_policy: 2,
      })

      expect(await send(ann, { type: 'channel', to: name, topic: 't', content: 'x' })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(
        await send(system().owner, { type: 'channel', to: name, topic: 't', content: 'x' }),
      ).toMatchObject(success())
    })

    test('cuts content and topic that are too long, counting characters', async () => {
      const id = await sendToChannel(ann, channel.name, '🦉'.repeat(10_001), '🐙'.repeat(61))

      const { raw_content, message } = await ann.call(getMessage, { message_id: id })

      expect([...raw_content]).toHaveLength(10_000)
      expect(raw_content.endsWith('🦉\n[message truncated]')).toBe(true)
      expect(message.subject).toBe(`${'🐙'.repeat(57)}...`)
    })

    test('trims the topic, the end of the content and leading empty lines', async () => {
      const id = await sendToChannel(ann, channel.name, '\n\n  text  \n', '  a topic ')

      const { raw_content, message } = await ann.call(getMessage, { message_id: id })

      expect(raw_content).toBe('  text')
      expect(message.subject).toBe('a topic')
    })

    test('creates two messages for two requests', async () => {
      expect(await sendToChannel(ann, channel.name, 'again')).not.toBe(
        await sendToChannel(ann, channel.name, 'again'),
      )
    })

    test('is read by its sender if the client says so, or is a client for reading', async () => {
      const fields = { type: 'channel', to: channel.name, topic: 't', content: 'x' }
      const ids = [
        (await send(ann, fields)).body['id'],
        (await send(ann, { ...fields, read_by_sender: 'true' })).body['id'],
        (await send(ann, fields, { 'user-agent': 'ZulipMobile/30.0 (Android 14)' })).body['id'],
        (await send(ann, { ...fields, read_by_sender: 'false' }, { 'user-agent': 'website' })).body['id'],
      ]

      const flags = await Promise.all(ids.map(async (id) => (await stored(ann, id)).flags))

      expect(flags).toEqual([[], ['read'], ['read'], []])
      expect((await stored(ben, ids[1])).flags).toEqual([])
    })
  })

  describe('mentions in a message', () => {
    const flagsOf = async (client: ApiClient, id: number) => (await stored(client, id)).flags

    test('flag a mentioned subscriber', async () => {
      const name = await nameOf(ben)
      const id = await sendToChannel(ann, channel.name, `Hi @**${name}** and @**${await nameOf(cem)}**`)

      expect(await flagsOf(ben, id)).toEqual(['mentioned'])
      expect(await flagsOf(ann, id)).toEqual([])
      // Only a subscriber is flagged; for others it is history.
      expect(await flagsOf(cem, id)).toEqual(['read', 'historical'])
      expect((await stored(ben, id)).content).toContain(
        `<span class="user-mention" data-user-id="${ben.userId}">@${name}</span>`,
      )
    })

    test('can name the user by ID, and flag nobody when silent', async () => {
      const name = await nameOf(ben)
      const byId = await sendToChannel(ann, channel.name, `@**${name}|${ben.userId}**`)
      const silent = await sendToChannel(ann, channel.name, `@_**${name}**`)

      expect(await flagsOf(ben, byId)).toEqual(['mentioned'])
      expect(await flagsOf(ben, silent)).toEqual([])
    })

    test('of everyone flag every subscriber', async () => {
      const id = await sendToChannel(ann, channel.name, 'All hands: @**all**')

      for (const client of [ann, ben]) {
        expect(await flagsOf(client, id)).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned'])
      }
    })

    test('of a topic flag its participants', async () => {
      const topic = 'taking part'
      await sendToChannel(ann, channel.name, 'first', topic)
      const id = await sendToChannel(ann, channel.name, '@**topic** come back', topic)

      expect(await flagsOf(ann, id)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned'])
      expect(await flagsOf(ben, id)).toEqual([])
    })

    test('of everyone require a permission in a channel of more than 15, which administrators have', async () => {
      const users = await newUsers(system(), 14)
      const large = await newChannel(system().owner, { others: [ann, ben, ...users] })
      const fields = { type: 'channel', to: large.name, topic: 't', content: '@**everyone**' }

      expect(await send(ann, fields)).toMatchObject(refusal('STREAM_WILDCARD_MENTION_NOT_ALLOWED'))
      const { owner } = system()
      const onlyAnn = { direct_members: [ann.userId], direct_subgroups: [] }
      await owner.call(endpoints.realm.updateRealm, { can_mention_many_users_group: onlyAnn })
      expect(await send(ann, fields)).toMatchObject(success())
      expect(await send(owner, fields)).toMatchObject(refusal('STREAM_WILDCARD_MENTION_NOT_ALLOWED'))
      await owner.call(endpoints.realm.updateRealm, { wildcard_mention_policy: 5 })
      expect(await send(ann, { ...fields, content: '@_**everyone**' })).toMatchObject(success())
      expect(await send(system().owner, fields)).toMatchObject(success())
    })

    test('of everyone do not count deactivated users', async () => {
      const users = await newUsers(system(), 14)
      const { name } = await newChannel(ann, { others: [ben, ...users] })
      const [deactivated] = users
      await system().owner.call(endpoints.users.deactivateUser, { user_id: deactivated.userId })

      expect(await send(ann, { type: 'channel', to: name, topic: 't', content: '@**all**' })).toMatchObject(
        success(),
      )
    })

    test('of a topic flag nobody in a direct conversation', async () => {
      await sendDirectly(ben, [ann], 'hello')
      const id = await sendDirectly(ann, [ben], '@**topic** look')

      for (const client of [ann, ben]) expect(await flagsOf(client, id)).not.toContain('wildcard_mentioned')
    })

    const nameOf = async ({ userId }: ApiClient): Promise<string> =>
      (await ann.call(endpoints.users.getUser, { user_id: userId })).user.full_name
  })

  describe('POST /messages directly to users', () => {
    test.each<[string, () => Record<string, string>]>([
      ['a list of IDs', () => ({ type: 'direct', to: JSON.stringify([ben.userId, cem.userId]) })],
      [
        'a list with the sender',
        () => ({ type: 'direct', to: JSON.stringify([ann.userId, ben.userId, cem.userId]) }),
      ],
      ['a duplicate', () => ({ type: 'direct', to: JSON.stringify([ben.userId, ben.userId, cem.userId]) })],
      ['a list of addresses', () => ({ type: 'private', to: JSON.stringify([ben.email, cem.email]) })],
      ['addresses and commas', () => ({ type: 'private', to: `${ben.email}, ${cem.email.toUpperCase()}` })],
      [
        'a topic, which is ignored',
        () => ({ type: 'direct', to: JSON.stringify([ben.userId, cem.userId]), topic: 'x' }),
      ],
    ])('accepts %s', async (_, address) => {
      const answer = await send(ann, { content: 'x', ...address() })

      expect(answer).toMatchObject(success())
      const message = await stored(ben, answer.body['id'])
      expect(message).toMatchObject({ type: 'private', subject: '' })
      expect(message).not.toHaveProperty('stream_id')
      expect(message.display_recipient).toEqual(
        await Promise.all(
          [ann, ben, cem].map(async ({ userId, email }) => ({
            id: userId,
            email,
            full_name: (await ann.call(endpoints.users.getUser, { user_id: userId })).user.full_name,
            is_mirror_dummy: false,
          })),
        ),
      )
    })

    test('keeps one conversation for the same users, whichever of them sends', async () => {
      const one = await send(ann, { type: 'direct', to: `[${ben.userId}]`, content: 'x' })
      const other = await send(ben, { type: 'direct', to: `[${ann.userId}]`, content: 'y' })
      const group = await send(ann, { type: 'direct', to: `[${ben.userId},${cem.userId}]`, content: 'z' })

      const recipientIds = await Promise.all(
        [one, other, group].map(async ({ body }) => (await stored(ann, body['id'])).recipient_id),
      )
      expect(recipientIds[0]).toBe(recipientIds[1])
      expect(recipientIds[2]).not.toBe(recipientIds[0])
    })

    test('can go to the sender', async () => {
      const answer = await send(ann, { type: 'direct', to: `[${ann.userId}]`, content: 'note' })

      const message = await stored(ann, answer.body['id'])
      expect(message.display_recipient).toEqual([expect.objectContaining({ id: ann.userId })])
      expect(message.flags).toEqual([])
    })

    test('is hidden from everyone else, including owners', async () => {
      const answer = await send(ann, { type: 'direct', to: `[${ben.userId}]`, content: 'secret' })

      for (const client of [cem, system().owner]) {
        const seen = await client.send(getMessage, { message_id: answer.body['id'] as number })
        expect(seen).toMatchObject(refusal('BAD_REQUEST'))
      }
    })

    test.each([
      ['a bare ID', '5'],
      ['an empty list', '[]'],
      ['an unknown ID', '[999999]'],
      ['a negative ID', '[-1]'],
      ['an ID beyond all integers', '[9223372036854775808]'],
      ['an unknown address', 'nobody@example.com'],
      ['IDs among addresses', '[1,"a@example.com"]'],
      ['a list in a list', '[[1]]'],
      ['nobody', ''],
      ['ten thousand unknown users', JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i + 1_000_000))],
    ])('rejects %s', async (_, to) => {
      expect(await send(ann, { type: 'direct', to, content: 'x' })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('POST /messages/render', () => {
    test('renders as sending would', async () => {
      const { rendered } = await ann.call(renderMessage, { content: `#**${channel.name}** *and*` })

      expect(rendered).toContain(`<a class="stream" data-stream-id="${channel.id}"`)
      expect(rendered).toContain('<em>and</em>')
    })

    test('removes HTML', async () => {
      const content = '<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>'
      const { rendered } = await ann.call(renderMessage, { content })

      expect(rendered).not.toMatch(/<script|<img|href="javascript/)
    })

    test('does not name channels that the author cannot see', async () => {
      const hidden = await newChannel(ann, { isPrivate: true })

      const { rendered } = await ben.call(renderMessage, { content: `#**${hidden.name}**` })

      expect(rendered).not.toContain('data-stream-id')
    })
  })

  test('messages of one channel have increasing IDs, in the order of sending', async () => {
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await sendToChannel(i % 2 === 0 ? ann : ben, channel.name, `${i}`))
    const { messages } = await ben.call(getMessages, {
      anchor: String(ids[0]),
      num_before: 0,
      num_after: 4,
      narrow: [{ operator: 'channel', operand: channel.id }],
    })

    expect(messages.map(({ id }) => id)).toEqual(ids)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })
}
