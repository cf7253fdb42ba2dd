import { allEndpoints, endpoints, internal, type TokenScope } from '@tms/contracts'
import { createInternalClient, createInternalTokenSource } from '@tms/service-kit'
import { type Account, type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from './support/answers.ts'
import { newBotOf } from './support/bots.ts'
import { uploadTo } from './support/files.ts'
import { holdChannelLock } from './support/row-locks.ts'
import {
  createChannel,
  newChannel,
  secondsFromNow,
  sendDirectly,
  sendToChannel,
} from './support/users-and-channels.ts'
import { inUsersDatabase } from './support/users-database.ts'

const { createApiToken, listApiTokens, listRealmApiTokens } = endpoints.users
const { addReaction, archiveChannel, deleteMessage, editMessage, getMessage, getMessages, removeReaction } =
  endpoints.messaging
const { getChannel, getChannelId, getMessageHistory, getReadReceipts, listTopics, sendMessage } =
  endpoints.messaging
const { markChannelAsRead, markTopicAsRead, unsubscribe, updateFlagsForNarrow, updateMessageFlags } =
  endpoints.messaging

let product: TestSystem
/** A person with two channels, and what is elsewhere: in another private channel of hers, and direct. */
let ann: ApiClient
let inside: { id: number; name: string }
let outside: { id: number; name: string }
let messages: { inside: number; outside: number; direct: number }
/** Reads and sends in `inside` alone. */
let limited: ApiClient

beforeAll(async () => {
  product = await startTestSystem({ env: process.env, serviceEnv: { RATE_LIMIT_PER_MINUTE: '100000' } })
  ann = await product.createUser()
  inside = await newChannel(ann, { isPrivate: true })
  outside = await newChannel(ann, { isPrivate: true })
  messages = {
    inside: await sendToChannel(ann, inside.name, 'known to the token'),
    outside: await sendToChannel(ann, outside.name, 'a secret elsewhere'),
    direct: await sendDirectly(ann, [product.owner], 'a secret between us'),
  }
  limited = await limitedTo([inside.id])
}, 180_000)
afterAll(() => product.stop(), 60_000)

async function limitedTo(
  channel_ids: number[],
  { user = ann, scopes = ['read', 'send'] }: { user?: ApiClient; scopes?: TokenScope[] } = {},
): Promise<ApiClient> {
  const { token } = await user.call(createApiToken, { name: 'limited', scopes, channel_ids })
  return user.as({ ...(user.account as Account), apiKey: token })
}

const tokenLimited = refusal('TOKEN_LIMITED_TO_CHANNELS', {}, 403)
const invalidMessage = refusal('BAD_REQUEST', { msg: 'Invalid message(s)' })
const badNarrow = refusal('BAD_NARROW')
const page = { anchor: 'newest', num_before: 50, num_after: 0 }
const fetch = (client: ApiClient, narrow: unknown[], more: object = {}) =>
  client.send(getMessages, { ...page, narrow, ...more } as never)
const contents = async (client: ApiClient, narrow: unknown[], more: object = {}) => {
  const answer = await fetch(client, narrow, { apply_markdown: false, ...more })
  expect(answer).toMatchObject(success())
  return (answer.body['messages'] as { content: string }[]).map(({ content }) => content)
}

describe('a token that is limited to channels', () => {
  test('shows them where it is made and listed, each once, ascending', async () => {
    const user = await product.createUser()
    const [one, other] = [await createChannel(user), await createChannel(user)]
    const { api_token } = await user.call(createApiToken, {
      ...{ name: 'limited', scopes: ['read'], channel_ids: [other.id, one.id, other.id] },
    })
    const everywhere = await user.call(createApiToken, { name: 'not limited', scopes: ['read'] })

    expect(api_token.channel_ids).toEqual([one.id, other.id])
    expect(everywhere.api_token.channel_ids).toBeNull()
    expect((await user.call(listApiTokens, {})).api_tokens).toEqual([api_token, everywhere.api_token])
    const { api_tokens } = await product.owner.call(listRealmApiTokens, { after_id: api_token.id - 1 })
    expect(api_tokens).toEqual([api_token, everywhere.api_token])
  })

  test('is made for channels that its creator sees, at least one, and never to administer', async () => {
    const user = await product.createUser()
    const own = await createChannel(user)
    const create = (channel_ids: number[], scopes: TokenScope[] = ['read']) =>
      user.send(createApiToken, { name: 'limited', scopes, channel_ids })

    const unseen = await create([own.id, outside.id])
    expect(unseen).toMatchObject(refusal('BAD_REQUEST'))
    expect((await create([own.id, 2_000_000_000])).body['msg']).toBe(unseen.body['msg'])
    expect(await create([9_000_000_000_000_000])).toMatchObject(refusal('BAD_REQUEST'))
    expect(await create([])).toMatchObject({ status: 400 })
    expect(await create(Array.from({ length: 51 }, () => own.id))).toMatchObject({ status: 400 })
    expect(await create([own.id], ['read', 'administer'])).toMatchObject(refusal('BAD_REQUEST'))
    expect(await user.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })
  })

  test('is unknown to releases that would take it for one without limits', async () => {
    const user = await product.createUser()
    const create = async (more: { channel_ids?: number[] }) =>
      (await user.call(createApiToken, { name: 'x', scopes: ['read'], ...more })).token
    const [limitedOne, everywhere] = [
      await create({ channel_ids: [(await createChannel(user)).id] }),
      await create({}),
    ]
    const { keys, urls } = product.system
    const call = createInternalClient(urls, createInternalTokenSource('tests', keys.internal.privateKey))
    const identify = (token: string, more: { knows_channel_limits?: boolean } = {}) =>
      call(internal.users.identifyToken, { host: new URL(product.baseUrl).host, email: null, token, ...more })

    // As a gateway of such a release asks.
    await expect(identify(limitedOne)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' })
    expect(await identify(everywhere)).toMatchObject({ user_id: user.userId, channel_ids: null })
    expect(await identify(limitedOne, { knows_channel_limits: true })).toMatchObject({
      channel_ids: [expect.any(Number)],
    })
    // As its users service looks a token up.
    const found = await inUsersDatabase(product, (db) =>
      db.query<{ is_limited: boolean }>(
        `select channel_ids is not null as is_limited from api_tokens
          where token_hash in (sha256($1::text::bytea), sha256($2::text::bytea))`,
        [limitedOne, everywhere],
      ),
    )
    expect(found.rows).toEqual([{ is_limited: false }])
  })

  test('reaches no endpoint but those that are declared for such tokens', async () => {
    const others = allEndpoints.filter(
      ({ auth, channelParameters }) =>
        !['public', 'provisioner', 'user-by-key'].includes(auth) && channelParameters.length === 0,
    )
    const answered: [string, number, unknown][] = []
    for (const { name, method, path, prefix } of others) {
      const named = path.replace(/\{\w*(id|_by)\}/g, '1').replace(/\{\w+\}/g, 'x')
      const { status, body } = await limited.request(method, named, [], { prefix })
      if (!(status === 403 && /^(TOKEN|API_KEY)/.test(String(body['code']))))
        answered.push([name, status, body])
    }

    expect(others.length).toBeGreaterThan(150)
    expect(answered).toEqual([])
  })

  test('is refused, rather than served, by each service that does not check its channels', async () => {
    const both = await limitedTo([inside.id], { scopes: ['read', 'send'] })
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['GET', '/realm/emoji'],
      ['POST', '/register'],
      ['GET', '/events?queue_id=x&last_event_id=-1'],
      ['GET', '/drafts'],
      ['GET', '/scheduled_messages'],
      ['GET', '/attachments'],
      ['POST', '/user_uploads'],
      ['POST', '/typing'],
      ['POST', '/messages/render'],
      ['POST', '/mark_all_as_read'],
      ['GET', '/messages/matches_narrow'],
      ['POST', '/submessage'],
    ] as const)
      expect([path, await both.request(method, path, [])]).toMatchObject([path, tokenLimited])
  })

  test('sends to its channels by ID and by name, and nowhere else', async () => {
    const send = (to: string | number | number[], type: 'channel' | 'direct' = 'channel') =>
      limited.send(sendMessage, { type, to, topic: 'by the token', content: 'hello' } as never)

    expect(await send(inside.id)).toMatchObject(success())
    expect(await send(inside.name)).toMatchObject(success())
    expect(await send(inside.name.toUpperCase())).toMatchObject(success())
    const unknown = await send('there is no such channel')
    expect(unknown).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
    for (const elsewhere of [outside.id, outside.name])
      expect(await send(elsewhere)).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
    for (const to of [[product.owner.userId], [ann.userId]])
      expect(await send(to, 'direct')).toMatchObject(tokenLimited)
    expect(await contents(ann, [['channel', outside.name]])).toEqual(
      expect.arrayContaining(['a secret elsewhere']),
    )
    expect(await contents(ann, [['topic', 'by the token']])).toHaveLength(3)
  })

  test('of a bot without `to` sends to the default channel only if it is one of its own', async () => {
    const bot = await newBotOf(ann)
    const { updateBot } = endpoints.users
    for (const channel of [inside, outside])
      await ann.call(endpoints.messaging.subscribe, {
        ...{ subscriptions: [{ name: channel.name }], principals: [bot.userId] },
      })
    const { token } = await ann.call(createApiToken, {
      ...{ name: 'of the bot', scopes: ['send'], channel_ids: [inside.id], bot_user_id: bot.userId },
    })
    const ofBot = bot.as({ ...(bot.account as Account), apiKey: token })
    const send = async (channel: { name: string }) => {
      await ann.call(updateBot, { bot_user_id: bot.userId, default_sending_stream: channel.name })
      return ofBot.send(sendMessage, { type: 'channel', topic: 'x', content: 'of the bot' })
    }

    expect(await send(inside)).toMatchObject(success())
    expect(await send(outside)).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
  })

  test('is refused by the addresses of integrations', async () => {
    const bot = await product.owner.call(endpoints.users.createBot, {
      ...{ full_name: 'Limited Hook', short_name: 'limited-hook', bot_type: 2 },
    })
    const channel = await newChannel(product.owner)
    const { token } = await product.owner.call(createApiToken, {
      ...{ name: 'hook', scopes: ['send'], channel_ids: [channel.id], bot_user_id: bot.user_id },
    })
    const query = new URLSearchParams({ api_key: token, stream: channel.name, topic: 'x' })
    const posted = await product.anonymous.fetch(`/api/v1/external/json?${query}`, {
      ...{ method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
    })

    expect([posted.status, await posted.json()]).toMatchObject([403, { code: 'TOKEN_LIMITED_TO_CHANNELS' }])
  })
})

describe('it reads', () => {
  test('the messages of one of its channels, and what a narrow leaves of them', async () => {
    const known = ['known to the token']
    const byId = { operator: 'channel', operand: inside.id }
    expect(await contents(limited, [byId, ['search', 'known']])).toEqual(known)
    expect(
      await contents(limited, [
        ['stream', inside.name],
        ['topic', 'a topic'],
      ]),
    ).toEqual(known)
    expect(await contents(limited, [byId, { operator: 'id', operand: messages.inside }])).toEqual(known)
    expect(
      await contents(limited, [byId, { operator: 'topic', operand: 'a topic', negated: true }]),
    ).not.toContain(known[0])
    expect(await contents(limited, [byId, ['is', 'starred']])).toEqual([])
  })

  test('no messages of another, whether or not they are named by ID', async () => {
    const byId = { operator: 'channel', operand: inside.id }
    const { outside: elsewhere, direct } = messages
    for (const id of [elsewhere, direct]) {
      expect(await contents(limited, [byId, { operator: 'id', operand: id }])).toEqual([])
      expect(await contents(limited, [byId], { anchor: String(id), num_before: 0, num_after: 0 })).toEqual([])
      expect(await contents(limited, [byId, ['near', String(id)]])).not.toContain('a secret')
    }
    const message_ids = [messages.inside, elsewhere, direct]
    const read = await limited.send(getMessages, { message_ids, narrow: [byId], apply_markdown: false })
    expect(read.body['messages']).toMatchObject([{ content: 'known to the token' }])
    expect(read.text).not.toContain('a secret')
    expect(await limited.send(getMessages, { message_ids: [elsewhere, direct] })).toMatchObject(tokenLimited)
  })

  test.each<[string, () => unknown[]]>([
    ['nothing', () => []],
    ['a topic of any channel', () => [['topic', 'a topic']]],
    ['all but another channel', () => [{ operator: 'channel', operand: outside.id, negated: true }]],
    ['all but its own channel', () => [{ operator: 'channel', operand: inside.id, negated: true }]],
    [
      'its own channel and all but another',
      () => [['channel', inside.name], { operator: 'stream', operand: outside.name, negated: true }],
    ],
    [
      'two channels',
      () => [
        ['channel', inside.name],
        ['stream', outside.name],
      ],
    ],
    ['a message by its ID', () => [{ operator: 'id', operand: messages.outside }]],
    [
      'the conversation of a message',
      () => [
        ['channel', inside.name],
        ['with', String(messages.outside)],
      ],
    ],
    ['direct messages', () => [['is', 'dm']]],
    ['direct messages with somebody', () => [{ operator: 'dm', operand: [product.owner.userId] }]],
    ['public channels', () => [['channels', 'public']]],
    [
      'its own channel and public ones',
      () => [
        ['channel', inside.name],
        ['channels', 'public'],
      ],
    ],
    [
      'everything in home',
      () => [
        ['channel', inside.name],
        ['in', 'all'],
      ],
    ],
  ])('nothing by a narrow that names %s', async (_, narrow) => {
    const refused = [
      await fetch(limited, narrow()),
      await limited.send(updateFlagsForNarrow, {
        ...{ ...page, narrow: narrow(), op: 'add', flag: 'starred' },
      } as never),
    ]
    for (const answer of refused) expect(answer).toMatchObject(tokenLimited)
  })

  test.each<[string, () => unknown]>([
    ['by its name', () => outside.name],
    ['by its ID', () => outside.id],
    ['as an alternative', () => `${inside.name} OR ${outside.name}`],
    ['that does not exist', () => 'there is no such channel'],
    ['that does not exist, by its ID', () => 2_000_000_000],
  ])('no other channel %s, which answers as one that does not exist', async (_, operand) => {
    expect(await fetch(limited, [{ operator: 'channel', operand: operand() }])).toMatchObject(badNarrow)
  })

  test('one message, its history and who read it, its channel and topics; of others nothing', async () => {
    const unknownChannel = refusal('BAD_REQUEST')
    for (const endpoint of [getMessage, getMessageHistory, getReadReceipts]) {
      expect(await limited.send(endpoint, { message_id: messages.inside })).toMatchObject(success())
      for (const message_id of [messages.outside, messages.direct, 999_999_999])
        expect(await limited.send(endpoint, { message_id })).toMatchObject(invalidMessage)
    }
    for (const endpoint of [getChannel, listTopics]) {
      expect(await limited.send(endpoint, { stream_id: inside.id })).toMatchObject(success())
      const [hidden, missing] = [
        await limited.send(endpoint, { stream_id: outside.id }),
        await limited.send(endpoint, { stream_id: 999_999_999 }),
      ]
      expect(hidden).toMatchObject(unknownChannel)
      expect(hidden.body).toEqual(missing.body)
    }
    expect(await limited.send(getChannelId, { stream: inside.name })).toMatchObject(
      success({ stream_id: inside.id }),
    )
    expect(await limited.send(getChannelId, { stream: outside.name })).toMatchObject(unknownChannel)
  })

  test('of a message nothing that it said before it came into its channels', async () => {
    const { owner } = product
    const [elsewhere, here] = [await newChannel(owner), await newChannel(owner)]
    const token = await limitedTo([here.id], { user: owner })
    const message_id = await sendToChannel(owner, elsewhere.name, 'a secret of before')
    await owner.call(editMessage, { message_id, content: 'harmless', topic: 'a second topic' })
    await owner.call(editMessage, { message_id, stream_id: here.id })
    await owner.call(editMessage, { message_id, content: 'still harmless' })

    const answers = [
      await token.send(getMessageHistory, { message_id }),
      await token.send(getMessage, { message_id }),
      await fetch(token, [{ operator: 'channel', operand: here.id }]),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject(success())
      expect(answer.text).toContain('still harmless')
      expect(answer.text).toContain('"prev_content":"harmless"')
      expect(answer.text).not.toMatch(/a secret of before|prev_stream|a topic/)
    }
    expect((await owner.send(getMessageHistory, { message_id })).text).toContain('a secret of before')
  })

  test('whose messages are in a channel, but not whether somebody is unknown or wrote nothing there', async () => {
    const bySender = (operand: string | number) =>
      contents(limited, [
        { operator: 'channel', operand: inside.id },
        { operator: 'sender', operand },
      ])

    expect(await bySender(ann.userId)).toContain('known to the token')
    for (const operand of [product.owner.userId, 2_000_000_000, 'nobody@unknown.invalid'])
      expect(await bySender(operand)).toEqual([])
    const narrow = [{ operator: 'sender', operand: 2_000_000_000 }]
    expect(await fetch(ann, narrow)).toMatchObject(badNarrow)
  })

  test('no file, also one that a message of its channel links', async () => {
    const url = await uploadTo(ann)
    await sendToChannel(ann, inside.name, `[a file](${url})`)

    expect((await limited.request('GET', url, [], { prefix: '' })).status).toBe(403)
    expect((await limited.request('GET', url)).status).toBe(403)
  })
})

describe('it changes nothing of another channel or direct messages:', () => {
  test('no text, reaction, flag, and no message is deleted', async () => {
    for (const message_id of [messages.outside, messages.direct]) {
      const reaction = { message_id, emoji_name: 'octopus' }
      await ann.call(addReaction, { message_id, emoji_name: 'tada' })
      const flags = { op: 'add', flag: 'starred' } as const
      const refused = [
        await limited.send(editMessage, { message_id, content: 'changed by the token' }),
        await limited.send(editMessage, { message_id, topic: 'moved by the token' }),
        await limited.send(deleteMessage, { message_id }),
        await limited.send(addReaction, reaction),
        await limited.send(removeReaction, { message_id, emoji_name: 'tada' }),
        await limited.send(updateMessageFlags, { messages: [message_id], ...flags }),
        await limited.send(updateMessageFlags, { messages: [messages.inside, message_id], ...flags }),
      ]
      for (const answer of refused) expect(answer).toMatchObject(invalidMessage)
      const { message } = await ann.call(getMessage, { message_id, apply_markdown: false })
      expect(message).toMatchObject({ reactions: [{ emoji_name: 'tada' }] })
      expect(message.flags).not.toContain('starred')
      expect(message.content).toContain('a secret')
    }
    for (const answer of [
      await limited.send(markChannelAsRead, { stream_id: outside.id }),
      await limited.send(markTopicAsRead, { stream_id: outside.id, topic_name: 'a topic' }),
    ])
      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
  })

  test('in its own channel it edits, reacts, flags, marks as read and deletes', async () => {
    const { owner } = product
    const { id: stream_id } = await newChannel(owner)
    const token = await limitedTo([stream_id], { user: owner })
    const message_id = await sendToChannel(token, stream_id, 'to be changed')
    const narrow = [{ operator: 'channel', operand: stream_id }]
    const flags = { op: 'add', flag: 'starred' } as const
    for (const answer of [
      await token.send(editMessage, { message_id, content: 'was changed' }),
      await token.send(editMessage, { message_id, topic: 'another topic' }),
      await token.send(addReaction, { message_id, emoji_name: 'octopus' }),
      await token.send(removeReaction, { message_id, emoji_name: 'octopus' }),
      await token.send(updateMessageFlags, { messages: [message_id], ...flags }),
      await token.send(updateFlagsForNarrow, { ...page, narrow, op: 'remove', flag: 'starred' }),
      await token.send(markChannelAsRead, { stream_id }),
      await token.send(markTopicAsRead, { stream_id, topic_name: 'another topic' }),
    ])
      expect(answer).toMatchObject(success())
    expect(await owner.call(getMessage, { message_id })).toMatchObject({
      message: { content: '<p>was changed</p>', subject: 'another topic', flags: ['read'] },
    })
    expect(await token.send(deleteMessage, { message_id })).toMatchObject(success())
    expect(await owner.send(getMessage, { message_id })).toMatchObject(invalidMessage)
  })

  test('it moves no message out of its channels, and into another of its own as its owner may', async () => {
    const { owner } = product
    const [from, to, other] = [await newChannel(owner), await newChannel(owner), await newChannel(owner)]
    const message_id = await sendToChannel(owner, from.name, 'to be moved')
    const token = await limitedTo([from.id, to.id], { user: owner })
    const move = (stream_id: number) =>
      token.send(editMessage, { message_id, stream_id, propagate_mode: 'change_all' })

    expect(await move(other.id)).toMatchObject(refusal('BAD_REQUEST'))
    expect(await move(to.id)).toMatchObject(success())
    await owner.call(editMessage, { message_id, stream_id: other.id })
    expect(await token.send(getMessage, { message_id })).toMatchObject(invalidMessage)
    expect(await move(to.id)).toMatchObject(invalidMessage)
  })

  test('it deletes no message that leaves its channels meanwhile', async () => {
    const { owner } = product
    const [from, other] = [await newChannel(owner), await newChannel(owner)]
    const message_id = await sendToChannel(owner, from.name, 'to be moved')
    const token = await limitedTo([from.id], { user: owner })
    const lock = await holdChannelLock(product, from.id)
    const moved = owner.call(editMessage, { message_id, stream_id: other.id })
    await lock.waitForWaiters(1)
    const deleted = token.send(deleteMessage, { message_id })
    await lock.waitForWaiters(2)
    await lock.release()

    await moved
    expect(await deleted).toMatchObject(invalidMessage)
    expect(await owner.call(getMessage, { message_id })).toMatchObject({ message: { stream_id: other.id } })
  })

  test('its messages give nobody a file, and link no other channel', async () => {
    const url = await uploadTo(ann)
    const bob = await product.createUser()
    await ann.call(endpoints.messaging.subscribe, {
      ...{ subscriptions: [{ name: inside.name }], principals: [bob.userId] },
    })
    const text = `[a file](${url}) #**${outside.name}** #**${inside.name}** #**${outside.name}>a topic**`
    const sent = await sendToChannel(limited, inside.id, text)
    const edited = await sendToChannel(limited, inside.id, 'x')
    await limited.call(editMessage, { message_id: edited, content: text })

    for (const message_id of [sent, edited]) {
      const { message } = await bob.call(getMessage, { message_id })
      expect(message.content).toContain(`data-stream-id="${inside.id}"`)
      expect(message.content).not.toContain(`data-stream-id="${outside.id}"`)
    }
    expect((await bob.request('GET', url)).status).toBe(404)
    await ann.call(editMessage, { message_id: edited, content: `${text}.` })
    expect((await bob.request('GET', url)).status).toBe(200)
  })
})

test('a scope that it lacks stays refused in its own channel', async () => {
  const [reading, sending] = [
    await limitedTo([inside.id], { scopes: ['read'] }),
    await limitedTo([inside.id], { scopes: ['send'] }),
  ]
  const message = { type: 'channel', to: inside.id, topic: 'x', content: 'x' } as const

  expect(await reading.send(sendMessage, message)).toMatchObject(
    refusal('TOKEN_SCOPE_REQUIRED', { scope: 'send' }, 403),
  )
  expect(await sending.send(getMessage, { message_id: messages.inside })).toMatchObject(
    refusal('TOKEN_SCOPE_REQUIRED', { scope: 'read' }, 403),
  )
})

describe('the rights of its owner decide further:', () => {
  test('in a channel that the owner has left, or that is archived or renamed', async () => {
    const user = await product.createUser()
    const [left, archived, renamed] = [
      await newChannel(product.owner, { others: [user], isPrivate: true }),
      await newChannel(product.owner, { others: [user] }),
      await newChannel(product.owner, { others: [user] }),
    ]
    const ids = [left.id, archived.id, renamed.id]
    const token = await limitedTo(ids, { user })
    const inLeft = await sendToChannel(user, left.name, 'before leaving')
    const inArchived = await sendToChannel(user, archived.name, 'before archiving')
    const send = (to: number | string) =>
      token.send(sendMessage, { type: 'channel', to, topic: 'x', content: 'x' })
    for (const id of ids) expect(await send(id)).toMatchObject(success())

    await user.call(unsubscribe, { subscriptions: [left.name] })
    await product.owner.call(archiveChannel, { stream_id: archived.id })
    await product.owner.call(endpoints.messaging.updateChannel, {
      stream_id: renamed.id,
      new_name: 'has another name',
    })
    const reused = await createChannel(product.owner)
    await product.owner.call(endpoints.messaging.updateChannel, {
      stream_id: reused.id,
      new_name: renamed.name,
    })

    for (const { id } of [left, archived]) {
      expect((await send(id)).status).toBe(400)
      expect(await fetch(token, [{ operator: 'channel', operand: id }])).toMatchObject(badNarrow)
    }
    for (const message_id of [inLeft, inArchived])
      for (const answer of [
        await token.send(getMessage, { message_id }),
        await token.send(getMessageHistory, { message_id }),
        await token.send(getReadReceipts, { message_id }),
        await token.send(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' }),
        await token.send(updateMessageFlags, { messages: [message_id], op: 'remove', flag: 'read' }),
      ])
        expect(answer).toMatchObject(invalidMessage)
    expect(await user.send(getMessage, { message_id: inArchived })).toMatchObject(success())
    expect(await send('has another name')).toMatchObject(success())
    expect(await send(renamed.name)).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
  })
})

test('what others see of drafts, scheduled messages and queues of its owner stays out of its reach', async () => {
  await ann.call(endpoints.messaging.createScheduledMessage, {
    ...{
      type: 'channel',
      to: inside.id,
      topic: 'x',
      content: 'later',
      scheduled_delivery_timestamp: secondsFromNow(999),
    },
  })
  const { queue_id } = await ann.call(endpoints.events.register, {})

  for (const endpoint of [endpoints.messaging.listScheduledMessages, endpoints.messaging.listDrafts])
    expect(await limited.send(endpoint, {})).toMatchObject(tokenLimited)
  expect(
    await limited.send(endpoints.events.getEvents, { queue_id, last_event_id: -1, dont_block: true }),
  ).toMatchObject(tokenLimited)
  expect((await limited.request('GET', `/events/stream?queue_id=${queue_id}`)).status).toBe(403)
})
