import { createHmac } from 'node:crypto'
import { endpoints, type MessageRecord } from '@tms/contracts'
import { type ApiClient, type EventQueue, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const { createBot, createUserGroup, deactivateBot } = endpoints.users
const {
  deleteMessage,
  editMessage,
  getMessage,
  getSigningSecret,
  listWebhookDeliveries,
  regenerateSigningSecret,
  repeatWebhookCall,
  subscribe,
} = endpoints.messaging

type Message = MessageRecord & { content: string }
let names = 0

export const webhookTests = (system: () => TestSystem): void => {
  let receiver: WebhookReceiver
  /** Owns the bots. */
  let ann: ApiClient
  let ben: ApiClient
  let queue: EventQueue
  let channel: { name: string; id: number }
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    ;[ann, ben] = await newUsers(system(), 2)
    channel = await newChannel(ann, { others: [ben] })
    queue = (await registerQueue(ann, { apply_markdown: false })).follow()
  })
  beforeEach(() => receiver.answer(() => ({})))
  afterAll(() => receiver.close())

  const newWebhook = async (interface_type: 1 | 2 = 1, payload_url = receiver.url) => {
    const short_name = `hook-${++names}`
    const full_name = `Hook ${names}`
    const { user_id } = await ann.call(createBot, {
      ...{ full_name, short_name, bot_type: 3, payload_url, interface_type },
    })
    return { id: user_id, name: full_name, mention: `@**${full_name}**` }
  }
  const messagesFrom = (name: string): Message[] =>
    queue.events
      .filter(({ type }) => type === 'message')
      .map((event) => event['message'] as Message)
      .filter(({ sender_full_name }) => sender_full_name === name)
  /** The next message to Ann from a bot that has sent none before. */
  const replyOf = async (name: string): Promise<Message> => {
    await queue.until(() => messagesFrom(name).length > 0, `a reply of ${name}`)
    return messagesFrom(name)[0] as Message
  }
  /** The notices of the notification bot to Ann about a bot. */
  const complaintAbout = async (name: string): Promise<string> => {
    const found = () =>
      messagesFrom('Notification Bot').find(({ content }) => content.includes(`@_**${name}|`))
    await queue.until(() => found() !== undefined, `what is said about ${name}`)
    return found()?.content ?? ''
  }
  const payload = (index = 0) => JSON.parse(receiver.calls[index]?.body ?? 'null') as Record<string, unknown>

  describe('an outgoing webhook', () => {
    test('receives a channel message that mentions it, and its reply is posted in the same topic', async () => {
      const bot = await newWebhook()
      receiver.answer(() => ({ body: { content: 'at *noon*' } }))
      const id = await sendToChannel(ben, channel.id, `${bot.mention} when?`, 'lunch')

      const reply = await replyOf(bot.name)
      const { message } = await ben.call(getMessage, { message_id: id, apply_markdown: false })
      const { flags: _flags, ...record } = message
      const { realm_bots } = (await registerQueue(ann, { fetch_event_types: ['realm_bot'] })).state
      const [own] = (
        realm_bots as { user_id: number; services: { token: string }[]; email: string }[]
      ).filter(({ user_id }) => user_id === bot.id)
      expect(reply).toMatchObject({ content: 'at *noon*', stream_id: channel.id, subject: 'lunch' })
      expect(receiver.calls).toHaveLength(1)
      expect(receiver.calls[0]?.headers).toMatchObject({
        'content-type': 'application/json',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(payload()).toEqual({
        bot_email: own?.email,
        bot_full_name: bot.name,
        data: `${bot.mention} when?`,
        trigger: 'mention',
        token: own?.services[0]?.token,
        message: { ...record, rendered_content: expect.stringContaining('class="user-mention"') },
      })
    })

    test('is signed with the secret of the bot, which its owner gets and may replace', async () => {
      const bot = await newWebhook()
      const asked = { bot_user_id: bot.id }
      const isSignedWith = (secret: string, index: number): boolean => {
        const { headers, body } = receiver.calls[index] ?? { headers: {}, body: '' }
        const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
        const signature = createHmac('sha256', key).update(signed).digest('base64')
        return headers['webhook-signature'] === `v1,${signature}`
      }
      const { secret } = await ann.call(getSigningSecret, asked)

      await sendToChannel(ben, channel.id, `${bot.mention} first`, 'lunch')
      await receiver.untilCalled(1)
      const { secret: next } = await ann.call(regenerateSigningSecret, asked)
      await sendToChannel(ben, channel.id, `${bot.mention} second`, 'lunch')
      await receiver.untilCalled(2)

      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect([isSignedWith(secret, 0), isSignedWith(next, 1)]).toEqual([true, true])
      expect([isSignedWith(next, 0), isSignedWith(secret, 1)]).toEqual([false, false])
      const { headers } = receiver.calls[0] ?? {}
      expect(headers?.['webhook-id']).toBe(headers?.['idempotency-key'])
      expect(Math.abs(Number(headers?.['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60)
      expect(await ann.call(getSigningSecret, asked)).toMatchObject({ secret: next })
      expect(await ben.send(getSigningSecret, asked)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ben.send(regenerateSigningSecret, asked)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('receives a direct message, and replies there', async () => {
      const bot = await newWebhook()
      receiver.answer(() => ({ body: { response_string: 'hello to you' } }))
      await ann.call(endpoints.messaging.sendMessage, { type: 'direct', to: [bot.id], content: 'hello' })

      const reply = await replyOf(bot.name)
      expect(reply).toMatchObject({ content: 'hello to you', type: 'private' })
      expect(idsOf(reply)).toEqual([ann.userId, bot.id].sort((a, b) => a - b))
      expect(payload()).toMatchObject({
        data: 'hello',
        trigger: 'direct_message',
        message: {
          type: 'private',
          sender_id: ann.userId,
          content: 'hello',
          rendered_content: '<p>hello</p>',
        },
      })
    })

    test('replies to the whole group in a group conversation', async () => {
      const bot = await newWebhook()
      receiver.answer(() => ({ body: { content: 'hello all' } }))
      const to = [ann.userId, bot.id]
      await ben.call(endpoints.messaging.sendMessage, { type: 'direct', to, content: 'hello' })

      const reply = await replyOf(bot.name)
      expect(payload()).toMatchObject({ trigger: 'direct_message' })
      expect(idsOf(reply)).toEqual([ann.userId, ben.userId, bot.id].sort((a, b) => a - b))
    })

    test('with the interface of Slack receives a form, and replies by its text', async () => {
      const bot = await newWebhook(2)
      receiver.answer(() => ({ body: { text: 'yes' } }))
      const id = await sendToChannel(ben, channel.id, `${bot.mention} there?`, 'lunch')

      const { message } = await ben.call(getMessage, { message_id: id })
      expect(await replyOf(bot.name)).toMatchObject({ content: 'yes', subject: 'lunch' })
      expect(receiver.calls[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
      expect(Object.fromEntries(new URLSearchParams(receiver.calls[0]?.body))).toEqual({
        token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        team_id: `T${system().realmId}`,
        team_domain: new URL(system().baseUrl).host,
        channel_id: `C${channel.id}`,
        channel_name: channel.name,
        thread_ts: String(message.timestamp),
        timestamp: String(message.timestamp),
        user_id: `U${ben.userId}`,
        user_name: message.sender_full_name,
        text: `${bot.mention} there?`,
        trigger_word: 'mention',
        service_id: String(bot.id),
      })
    })

    test('is called when one of its groups is mentioned', async () => {
      const bot = await newWebhook()
      receiver.answer(() => ({ body: { content: 'here' } }))
      const { name } = await newGroup([bot.id])
      await ann.call(subscribe, { subscriptions: [{ name: channel.name }], principals: [bot.id] })
      await sendToChannel(ben, channel.id, `@*${name}* anybody?`)

      expect(await replyOf(bot.name)).toMatchObject({ content: 'here' })
    })

    test('is not called by bots, including itself', async () => {
      const [bot, other] = [await newWebhook(), await newWebhook()]
      const generic = await newBotOf(ann)
      receiver.answer(({ body }) => ({ body: { content: `${bot.mention} ${other.mention} ${body.length}` } }))
      await sendToChannel(generic, channel.id, `${bot.mention} are you there?`)
      await generic.call(endpoints.messaging.sendMessage, { type: 'direct', to: [bot.id], content: 'hello' })
      await sendToChannel(ben, channel.id, `${bot.mention} and you?`)

      await replyOf(bot.name)
      // Earlier calls have arrived before this one.
      await sendToChannel(ben, channel.id, `${other.mention} and you?`)
      await replyOf(other.name)
      expect(receiver.calls.map((_, index) => payload(index)['data'])).toEqual([
        `${bot.mention} and you?`,
        `${other.mention} and you?`,
      ])
    })

    test('is called in a private channel only if it is subscribed', async () => {
      const [inside, outside] = [await newWebhook(), await newWebhook()]
      const secret = await newChannel(ann, { isPrivate: true })
      await ann.call(subscribe, { subscriptions: [{ name: secret.name }], principals: [inside.id] })
      receiver.answer(() => ({ body: { content: 'yes' } }))
      await sendToChannel(ann, secret.id, `${outside.mention} ${inside.mention} is anybody here?`)

      expect(await replyOf(inside.name)).toMatchObject({ content: 'yes', stream_id: secret.id })
      expect(receiver.calls.map((_, index) => payload(index)['bot_full_name'])).toEqual([inside.name])
    })

    test('is not called once it was deactivated', async () => {
      const [deactivated, there] = [await newWebhook(), await newWebhook()]
      await ann.call(deactivateBot, { bot_user_id: deactivated.id })
      receiver.answer(() => ({ body: { content: 'yes' } }))
      await sendToChannel(ann, channel.id, `${deactivated.mention} ${there.mention} is anybody here?`)

      expect(await replyOf(there.name)).toMatchObject({ content: 'yes' })
      expect(receiver.calls.map((_, index) => payload(index)['bot_full_name'])).toEqual([there.name])
    })

    test('posts nothing if its response says so', async () => {
      const bot = await newWebhook()
      const answers = [
        {},
        { body: { response_not_required: true } },
        { body: {} },
        { body: { content: ' ' } },
      ]
      receiver.answer((_, index) => answers[index] ?? { body: { content: 'at last' } })
      for (const [index] of [...answers, null].entries()) {
        await whisperTo(bot.id, `question ${index}`)
        await receiver.untilCalled(index + 1)
      }

      await replyOf(bot.name)
      expect(messagesFrom(bot.name).map(({ content }) => content)).toEqual(['at last'])
    })
  })

  describe('calls of an outgoing webhook', () => {
    const list = (bot_user_id: number, reader = ann) => reader.call(listWebhookDeliveries, { bot_user_id })

    test('are listed with their outcome and the reply, newest first', async () => {
      const bot = await newWebhook()
      receiver.answer((_, index) =>
        index < 1 ? { status: 503, body: 'busy' } : { body: { content: 'yes' } },
      )
      const id = await sendToChannel(ben, channel.id, `${bot.mention} hello?`)
      const reply = await replyOf(bot.name)

      const { calls, deliveries, waiting } = await list(bot.id)

      const common = {
        message_id: id,
        url: receiver.url,
        webhook_id: receiver.calls[0]?.headers['webhook-id'],
      }
      expect(calls).toEqual([
        expect.objectContaining({
          ...{ ...common, outcome: 'replied', status: 200, error: null, answer: null, reply_id: reply.id },
        }),
        expect.objectContaining({
          ...{ ...common, outcome: 'retried', status: 503, answer: '"busy"', reply_id: null },
          error: 'It answered with the status 503.',
        }),
      ])
      expect({ deliveries, waiting }).toEqual({ deliveries: [], waiting: 0 })
    })

    test('are listed as given up, without a status if the server cannot be reached', async () => {
      const bot = await newWebhook(1, 'http://127.0.0.1:1/')
      await whisperTo(bot.id)
      await complaintAbout(bot.name)

      const { calls } = await list(bot.id, system().owner)

      expect(calls.map(({ outcome, status, error }) => ({ outcome, status, error }))).toEqual(
        ['given_up', 'retried', 'retried'].map((outcome) => ({
          ...{ outcome, status: null, error: 'It could not be reached (ECONNREFUSED).' },
        })),
      )
    })

    test('are made again on request, with the same ID and the message as it is now', async () => {
      const bot = await newWebhook()
      receiver.answer(() => ({ status: 404, body: '\u0000' }))
      const id = await sendToChannel(ben, channel.id, `${bot.mention} one`)
      await complaintAbout(bot.name)
      await ben.call(editMessage, { message_id: id, content: `${bot.mention} two` })
      const [failed] = (await list(bot.id)).calls
      receiver.answer(() => ({ body: { content: 'again' } }))

      await ann.call(repeatWebhookCall, { bot_user_id: bot.id, call_id: failed?.id ?? 0 })

      expect(await replyOf(bot.name)).toMatchObject({ content: 'again' })
      expect(receiver.calls[0]?.headers['webhook-id']).toBe(failed?.webhook_id)
      expect(payload()['data']).toBe(`${bot.mention} two`)
    })

    test('are not made again by others, while they are made, or for a message that is gone', async () => {
      const bot = await newWebhook()
      receiver.answer(() => ({ status: 404 }))
      const id = await sendToChannel(ben, channel.id, `${bot.mention} hello?`)
      await complaintAbout(bot.name)
      const [failed] = (await list(bot.id)).calls
      const repeated = { bot_user_id: bot.id, call_id: failed?.id ?? 0 }

      expect(await ben.send(repeatWebhookCall, repeated)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(repeatWebhookCall, { ...repeated, call_id: 0 })).toMatchObject({
        status: 404,
        body: { msg: 'No such call' },
      })
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      receiver.answer(async () => {
        await released
        return {}
      })
      await ann.call(repeatWebhookCall, repeated)
      await receiver.untilCalled(1)
      expect(await list(bot.id)).toMatchObject({ waiting: 1 })
      expect(await ann.send(repeatWebhookCall, repeated)).toMatchObject(refusal('BAD_REQUEST'))
      release()
      await until(async () => (await list(bot.id)).calls.length === 2)
      await system().owner.call(deleteMessage, { message_id: id })
      expect(await ann.send(repeatWebhookCall, repeated)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('are kept up to a hundred', async () => {
      const bot = await newWebhook()
      for (let i = 0; i < 102; i++) await whisperTo(bot.id)
      await until(async () => (await list(bot.id)).waiting === 0)

      expect((await list(bot.id)).calls).toHaveLength(100)
    })
  })

  test('an outgoing webhook may reply with a form, as an object or as its JSON', async () => {
    const form = { widget_type: 'poll', extra_data: { question: 'Tea?', options: ['yes', 'no'] } }
    for (const widget_content of [form, JSON.stringify(form)]) {
      const bot = await newWebhook()
      receiver.answer(() => ({ body: { content: 'A poll', widget_content } }))
      await whisperTo(bot.id)

      const { submessages } = await replyOf(bot.name)
      expect(JSON.parse(submessages[0]?.content ?? '')).toEqual(form)
    }
  })

  describe('an outgoing webhook that fails', () => {
    test('is called again with the same idempotency key, and its reply is posted', async () => {
      const bot = await newWebhook()
      receiver.answer((_, index) => (index < 2 ? { status: 500 } : { body: { content: 'at last' } }))
      await whisperTo(bot.id)

      expect(await replyOf(bot.name)).toMatchObject({ content: 'at last' })
      expect(receiver.calls).toHaveLength(3)
      expect(new Set(receiver.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    })

    test.each<[string, { status?: number; body?: unknown }, number, string]>([
      ['after three attempts', { status: 503 }, 3, 'It answered with the status 503.'],
      ['at once where it refuses', { status: 404 }, 1, 'It answered with the status 404.'],
      ['where it redirects', { status: 307 }, 1, 'a redirection, which is not followed.'],
      ['where it answers something else', { body: [] }, 1, 'Its answer is no JSON object.'],
      ['where it says too much', { body: 'x'.repeat(200_000) }, 1, 'Its answer has more than 128 KiB.'],
      ['where its reply is refused', { body: { content: '\0' } }, 1, 'null bytes'],
    ])('is given up %s, and its owner gets a notice', async (_, answer, times, reason) => {
      const bot = await newWebhook()
      receiver.answer(() => answer)
      const id = await sendToChannel(ben, channel.id, `${bot.mention} hello?`)

      const complaint = await complaintAbout(bot.name)
      expect(complaint).toContain(reason)
      expect(complaint).toContain(`message ${id}`)
      expect(receiver.calls).toHaveLength(times)
      expect(messagesFrom(bot.name)).toEqual([])
    })

    test('is given up if its server cannot be reached', async () => {
      const bot = await newWebhook(1, 'http://127.0.0.1:1/')
      await whisperTo(bot.id)

      expect(await complaintAbout(bot.name)).toContain('It could not be reached (ECONNREFUSED).')
    })

    test('does not delay the others', async () => {
      const [slow, quick] = [await newWebhook(), await newWebhook()]
      let release = () => {}
      const blocked = new Promise<void>((resolve) => {
        release = resolve
      })
      receiver.answer(async ({ body }) => {
        if (body.includes(`"bot_full_name":"${slow.name}"`)) await blocked
        return { body: { content: 'yes' } }
      })
      for (let index = 0; index < 10; index++) await whisperTo(slow.id)
      await receiver.untilCalled(1)
      await whisperTo(quick.id)

      expect(await replyOf(quick.name)).toMatchObject({ content: 'yes' })
      expect(messagesFrom(slow.name)).toEqual([])
      release()
      await queue.until(() => messagesFrom(slow.name).length === 10, 'its replies')
    })
  })

  const whisperTo = (botId: number, content = 'hello') =>
    ann.call(endpoints.messaging.sendMessage, { type: 'direct', to: [botId], content })
  const newGroup = async (members: number[]) => {
    const name = `hooks ${++names}`
    await ann.call(createUserGroup, { name, description: 'tested', members })
    return { name }
  }
  const idsOf = ({ display_recipient }: Message): number[] =>
    (display_recipient as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)
}
