import { type EndpointInput, endpoints, Role } from '@tms/contracts'
import { type ApiClient, ApiClient as Client, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { createChannel, newUserOfRole, newUsers, sendToChannel } from '../support/users-and-channels.ts'

const { createBot, getUser, listBots, updateBot, updateUser } = endpoints.users
const { archiveChannel, getChannel, getMessage, getMessages, sendMessage, subscribe } = endpoints.messaging
const { unsubscribe, updateChannel, updateMessageFlags } = endpoints.messaging
const { register } = endpoints.events

type Defaults = Pick<
  EndpointInput<typeof createBot>,
  'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'
>
interface NewBot {
  readonly id: number
  readonly client: ApiClient
}

let bots = 0

/** Default channels of bots: their names, and their use. */
export const botChannelTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let other: ApiClient
  let admin: ApiClient
  beforeAll(async () => {
    ;[owner, other] = await newUsers(system(), 2)
    admin = await newUserOfRole(system(), Role.administrator)
  })

  const newBot = async (defaults: Defaults = {}, of = owner): Promise<NewBot> => {
    const names = { full_name: `Sender ${++bots}`, short_name: `sender-${bots}` }
    const { user_id: id, api_key } = await of.call(createBot, { ...names, ...defaults })
    const { user } = await of.call(getUser, { user_id: id })
    return { id, client: new Client(system().baseUrl, { userId: id, email: user.email, apiKey: api_key }) }
  }
  /** The names of a bot's channels, as its owner reads them. */
  const namesOf = async ({ id }: NewBot, of = owner) => {
    const bot = (await of.call(listBots, {})).bots.find(({ user_id }) => user_id === id)
    return [bot?.default_sending_stream, bot?.default_events_register_stream]
  }
  /** The name of its sending channel in the next responses, one of each replica of users. */
  const sendingNamesOf = async (bot: NewBot) => [(await namesOf(bot))[0], (await namesOf(bot))[0]]
  const rename = async ({ id }: { id: number }) => {
    const new_name = `renamed ${id}`
    await system().owner.call(updateChannel, { stream_id: id, new_name })
    return new_name
  }
  const put = (name: string, user: ApiClient) =>
    system().owner.call(subscribe, { subscriptions: [{ name }], principals: [user.userId] })
  const remove = (name: string, user: ApiClient) =>
    system().owner.call(unsubscribe, { subscriptions: [name], principals: [user.userId] })

  const sendWithout = (client: ApiClient, type = 'channel') =>
    client.request('POST', '/messages', [
      ['type', type],
      ['topic', 'a topic'],
      ['content', 'by default'],
    ])

  describe('names of a bot’s default channels', () => {
    test('follow the channels, and are delivered to the users who manage the bot', async () => {
      const [sending, events] = [await createChannel(owner), await createChannel(owner)]
      const bot = await newBot({
        default_sending_stream: sending.name,
        default_events_register_stream: events.name,
      })
      const queues = await Promise.all(
        [owner, admin].map(async (client) =>
          (await registerQueue(client, { event_types: ['realm_bot'] })).follow(),
        ),
      )

      const name = await rename(sending)
      expect(await namesOf(bot)).toEqual([name, events.name])
      await system().owner.call(archiveChannel, { stream_id: sending.id })
      expect(await namesOf(bot)).toEqual([null, events.name])
      for (const queue of queues) {
        const botUpdates = () =>
          queue.events.filter(({ bot: of }) => (of as { user_id: number }).user_id === bot.id)
        await queue.until(() => botUpdates().length >= 2)
        expect(botUpdates()).toMatchObject([
          { op: 'update', bot: { user_id: bot.id, default_sending_stream: name } },
          { op: 'update', bot: { user_id: bot.id, default_sending_stream: null } },
        ])
        await queue.stop()
      }
      const { state } = await registerQueue(owner, { fetch_event_types: ['realm_bot'] })
      expect(state['realm_bots']).toContainEqual(
        expect.objectContaining({
          user_id: bot.id,
          default_sending_stream: null,
          default_events_register_stream: events.name,
        }),
      )
    })

    test('use the channel’s spelling, whatever the case of the request', async () => {
      const { name } = await createChannel(owner)
      const bot = await newBot({ default_sending_stream: name.toUpperCase() })

      expect(await namesOf(bot)).toEqual([name, null])
    })

    test('are empty while the owner cannot see the channel', async () => {
      const { name } = await createChannel(system().owner, { isPrivate: true, others: [owner] })
      const bot = await newBot({ default_sending_stream: name })

      await remove(name, owner)
      expect(await sendingNamesOf(bot)).toEqual([null, null])
      await put(name, owner)

      expect(await sendingNamesOf(bot)).toEqual([name, name])
    })

    describe('are current at every replica after the response to a change', () => {
      const TURNS = 10
      const setPrivate = (stream_id: number, is_private: boolean) =>
        system().owner.call(updateChannel, { stream_id, is_private })

      test('of the channel’s name', async () => {
        const channel = await createChannel(owner)
        const bot = await newBot({ default_sending_stream: channel.name })

        for (let turn = 0; turn < TURNS; turn++) {
          const new_name = `turn ${turn} of ${channel.id}`
          await system().owner.call(updateChannel, { stream_id: channel.id, new_name })

          expect(await sendingNamesOf(bot)).toEqual([new_name, new_name])
        }
      })

      test('of the channel’s privacy', async () => {
        const channel = await createChannel(system().owner)
        const bot = await newBot({ default_sending_stream: channel.name })

        for (let turn = 0; turn < TURNS; turn++) {
          await setPrivate(channel.id, true)
          expect(await sendingNamesOf(bot)).toEqual([null, null])
          await setPrivate(channel.id, false)
          expect(await sendingNamesOf(bot)).toEqual([channel.name, channel.name])
        }
      })

      test('of the channel’s subscribers', async () => {
        const { name } = await createChannel(system().owner, { isPrivate: true, others: [owner] })
        const bot = await newBot({ default_sending_stream: name })

        for (let turn = 0; turn < TURNS; turn++) {
          await remove(name, owner)
          expect(await sendingNamesOf(bot)).toEqual([null, null])
          expect(await sendWithout(bot.client)).toMatchObject(
            refusal('REQUEST_VARIABLE_MISSING', { var_name: 'to' }),
          )
          await put(name, owner)
          expect(await sendingNamesOf(bot)).toEqual([name, name])
          expect(await sendWithout(bot.client)).toMatchObject(success())
        }
      })

      test('that archives the channel', async () => {
        for (let turn = 0; turn < TURNS; turn++) {
          const channel = await createChannel(owner, { isPrivate: turn % 2 === 0 })
          const bot = await newBot({ default_sending_stream: channel.name })

          await system().owner.call(archiveChannel, { stream_id: channel.id })

          expect(await sendingNamesOf(bot)).toEqual([null, null])
        }
      })

      test('of the owner’s role', async () => {
        const [keeper] = await newUsers(system(), 1)
        const open = await createChannel(system().owner)
        const secret = await createChannel(system().owner, { isPrivate: true, others: [keeper] })
        const ofOpen = await newBot({ default_sending_stream: open.name }, keeper)
        const ofSecret = await newBot({ default_sending_stream: secret.name }, keeper)
        await remove(secret.name, keeper)
        const names = async () => {
          const { realm_bots } = await admin.call(register, { fetch_event_types: ['realm_bot'] })
          const bots = realm_bots as { user_id: number; default_sending_stream: string | null }[]
          const nameOf = ({ id }: NewBot) =>
            bots.find(({ user_id }) => user_id === id)?.default_sending_stream
          return [nameOf(ofOpen), nameOf(ofSecret)]
        }
        const byRole: readonly [Role, (string | null)[]][] = [
          [Role.administrator, [open.name, secret.name]],
          [Role.guest, [null, null]],
          [Role.member, [open.name, null]],
        ]

        for (let turn = 0; turn < TURNS; turn++) {
          for (const [role, seen] of byRole) {
            await system().owner.call(updateUser, { user_id: keeper.userId, role })
            expect([await names(), await names()]).toEqual([seen, seen])
          }
        }
      })

      test('of several at once, while the bot changes too', async () => {
        const channel = await createChannel(owner)
        const bot = await newBot({ default_sending_stream: channel.name })

        for (let turn = 0; turn < TURNS; turn++) {
          const [present] = await namesOf(bot)
          const names = [1, 2, 3].map((at) => `turn ${turn}.${at} of ${channel.id}`)
          await Promise.all([
            owner.send(updateBot, { bot_user_id: bot.id, default_sending_stream: present ?? '' }),
            ...names.map((new_name) =>
              system().owner.call(updateChannel, { stream_id: channel.id, new_name }),
            ),
          ])

          const { stream } = await owner.call(getChannel, { stream_id: channel.id })
          expect(await sendingNamesOf(bot)).toEqual([stream.name, stream.name])
        }
      })
    })

    test('are those that a new owner may see, at once', async () => {
      const secret = await createChannel(system().owner, { isPrivate: true, others: [owner] })
      const open = await createChannel(owner)
      const bot = await newBot({
        default_sending_stream: secret.name,
        default_events_register_stream: open.name,
      })

      const answer = await admin.call(updateBot, { bot_user_id: bot.id, bot_owner_id: other.userId })

      expect(answer).toMatchObject({
        default_sending_stream: null,
        default_events_register_stream: open.name,
      })
      expect(await namesOf(bot, other)).toEqual([null, open.name])
    })

    test('cannot be a channel that the owner or the caller cannot see', async () => {
      const secret = await createChannel(system().owner, { isPrivate: true, others: [admin] })
      const bot = await newBot()

      for (const client of [admin, owner]) {
        expect(
          await client.send(updateBot, { bot_user_id: bot.id, default_sending_stream: secret.name }),
        ).toMatchObject(refusal('BAD_REQUEST'))
      }
      expect(await namesOf(bot)).toEqual([null, null])
    })
  })

  describe('POST /messages without a recipient', () => {
    test('sends to the default channel of a bot under its current name', async () => {
      const channel = await createChannel(owner)
      const bot = await newBot({ default_sending_stream: channel.name })
      await rename(channel)

      for (const type of ['channel', 'stream']) {
        const answer = await sendWithout(bot.client, type)

        expect(answer).toMatchObject(success())
        const { message } = await owner.call(getMessage, { message_id: Number(answer.body['id']) })
        expect(message).toMatchObject({ sender_id: bot.id, stream_id: channel.id, subject: 'a topic' })
      }
    })

    test('rejects other users, and a bot whose default channel is archived', async () => {
      const channel = await createChannel(owner)
      const archived = await newBot({ default_sending_stream: channel.name })
      const missing = refusal('REQUEST_VARIABLE_MISSING', { var_name: 'to' })
      await system().owner.call(archiveChannel, { stream_id: channel.id })

      for (const client of [owner, (await newBot()).client, archived.client]) {
        expect(await sendWithout(client)).toMatchObject(missing)
      }
      expect(await sendWithout(owner, 'direct')).toMatchObject(missing)
    })

    test('rejects direct messages, which have no default', async () => {
      const { name } = await createChannel(owner)
      const bot = await newBot({ default_sending_stream: name })

      expect(await sendWithout(bot.client, 'private')).toMatchObject(
        refusal('REQUEST_VARIABLE_MISSING', { var_name: 'to' }),
      )
    })
  })

  describe('a bot posts', () => {
    const sendTo = ({ client }: NewBot, { id }: { id: number }) =>
      client.send(sendMessage, { type: 'channel', to: id, topic: 'a topic', content: 'as its owner may' })

    test('in a private channel while its owner is subscribed', async () => {
      const channel = await createChannel(system().owner, { isPrivate: true, others: [owner] })
      const bot = await newBot({ default_sending_stream: channel.name })

      expect(await sendWithout(bot.client)).toMatchObject(success())
      expect(await sendTo(bot, channel)).toMatchObject(success())
      await remove(channel.name, owner)
      expect(await sendTo(bot, channel)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('in a channel that requires the role of its owner', async () => {
      const channel = await createChannel(admin)
      await admin.call(updateChannel, { stream_id: channel.id, stream_post_policy: 2 })

      expect(await sendTo(await newBot({}, admin), channel)).toMatchObject(success())
      expect(await sendTo(await newBot(), channel)).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('a queue that a bot registers', () => {
    /** The contents of the messages in a queue up to the last of the given ones, in this order. */
    const receivedBy = async (
      { client }: NewBot,
      options: Parameters<typeof registerQueue>[1],
      sentTexts: readonly (readonly [channelId: number, content: string])[],
    ) => {
      const queue = (await registerQueue(client, { event_types: ['message'], ...options })).follow()
      for (const [channelId, content] of sentTexts) await sendToChannel(owner, channelId, content)
      const contents = () => queue.events.map(({ message }) => (message as { content: string }).content)
      await queue.until(() => contents().includes(sentTexts.at(-1)?.[1] ?? ''), 'the last message')
      await queue.stop()
      return contents()
    }

    test('receives the messages of its default channel under any name, and no others', async () => {
      const [channel, elsewhere] = [await createChannel(owner), await createChannel(owner)]
      const bot = await newBot({ default_events_register_stream: channel.name })
      await put(elsewhere.name, bot.client)
      await rename(channel)

      expect(
        await receivedBy(bot, {}, [
          [elsewhere.id, 'elsewhere'],
          [channel.id, 'here'],
        ]),
      ).toEqual(['here'])
      const queue = (await registerQueue(bot.client, { event_types: ['message'] })).follow()
      await rename({ id: elsewhere.id })
      await system().owner.call(updateChannel, { stream_id: channel.id, new_name: `again ${channel.id}` })
      await sendToChannel(owner, channel.id, 'after')
      await queue.until(() => JSON.stringify(queue.events).includes('"after"'), 'what is said after')
      await queue.stop()
    })

    test('receives messages that mention it in a public channel without subscription, and none of a private one', async () => {
      const [open, hidden] = [await createChannel(owner), await createChannel(owner, { isPrivate: true })]
      const bot = await newBot()
      const call = `@**Sender ${bots}**`
      const queue = (await registerQueue(bot.client, { event_types: ['message'] })).follow()
      await sendToChannel(owner, hidden.id, `${call} in here`)
      await sendToChannel(owner, open.id, 'among us')
      const message_id = await sendToChannel(owner, open.id, call)

      await queue.until(() => queue.events.length > 0, 'the call')

      const flagsOfMessage = async () => (await bot.client.call(getMessage, { message_id })).message.flags
      expect(queue.events).toMatchObject([{ message: { id: message_id }, flags: ['mentioned'] }])
      expect(await flagsOfMessage()).toEqual(['mentioned'])
      const listed = async () => {
        const page = { anchor: 'newest', num_before: 10, num_after: 0 }
        const narrow = [{ operator: 'is', operand: 'unread' }]
        const { messages } = await bot.client.call(getMessages, { ...page, narrow })
        return messages.map(({ id, flags }) => [id, flags])
      }
      const unreadInState = async () => {
        const { unread_msgs } = await bot.client.call(register, {
          fetch_event_types: ['message', 'update_message_flags'],
        })
        return unread_msgs as { streams: { unread_message_ids: number[] }[]; mentions: number[] }
      }
      expect(await listed()).toEqual([[message_id, ['mentioned']]])
      expect(await unreadInState()).toMatchObject({
        streams: [{ stream_id: open.id, unread_message_ids: [message_id] }],
        mentions: [message_id],
      })

      // Reading it is like reading any other.
      await bot.client.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'read' })
      expect(await flagsOfMessage()).toEqual(['read', 'mentioned'])
      expect(await listed()).toEqual([])
      expect(await unreadInState()).toMatchObject({ streams: [], mentions: [] })

      // It is not subscribed, and gets nothing else of the channel.
      const { subscriptions, unsubscribed } = await bot.client.call(register, {
        fetch_event_types: ['subscription'],
      })
      expect([subscriptions, unsubscribed]).toEqual([[], []])
      await queue.stop()
    })

    test('receives what it requests instead', async () => {
      const [channel, wanted] = [await createChannel(owner), await createChannel(owner)]
      const bot = await newBot({ default_events_register_stream: channel.name })

      expect(
        await receivedBy(bot, { narrow: [['channel', wanted.name]] }, [
          [channel.id, 'by default'],
          [wanted.id, 'as asked'],
        ]),
      ).toEqual(['as asked'])
    })

    test('receives the messages of all public channels if that is its default, unless it requests less', async () => {
      const [open, own] = [await createChannel(owner), await createChannel(owner)]
      const bot = await newBot({ default_all_public_streams: true })
      await put(own.name, bot.client)
      const sentTexts = [
        [open.id, 'in public'],
        [own.id, 'to subscribers'],
      ] as const

      expect(await receivedBy(bot, {}, sentTexts)).toEqual(['in public', 'to subscribers'])
      expect(await receivedBy(bot, { all_public_streams: false }, sentTexts)).toEqual(['to subscribers'])
    })

    test('receives only what a guest may see if all public channels are the default of a guest’s bot', async () => {
      const own = await createChannel(owner)
      const bot = await newBot({ default_all_public_streams: true })
      await put(own.name, bot.client)
      await system().owner.call(updateBot, { bot_user_id: bot.id, role: Role.guest })
      const { id } = await createChannel(owner)

      expect(
        await receivedBy(bot, {}, [
          [id, 'in public'],
          [own.id, 'to subscribers'],
        ]),
      ).toEqual(['to subscribers'])
    })
  })
}
