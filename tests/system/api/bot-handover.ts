import { BotType, endpoints, Role } from '@tms/contracts'
import { ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { uploadTo } from '../support/files.ts'
import { until } from '../support/until.ts'
import {
  createChannel,
  newChannel,
  newUserOfRole,
  newUsers,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const { createBot, deactivateUser, getOwnUser, listBots, reactivateUser, updateBot } = endpoints.users
const { archiveChannel, getMessage, getMessages, getChannel, listSubscribers, listSubscriptions } =
  endpoints.messaging
const { sendMessage, subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging

interface Message {
  readonly stream_id?: number
  readonly content: string
}

/** What a bot loses with its owner: the new owner has its key, and must not gain access by it. */
export const botHandoverTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let cem: ApiClient
  let admin: ApiClient
  beforeAll(async () => {
    ;[ann, ben, cem] = await newUsers(system(), 3)
    admin = await newUserOfRole(system(), Role.administrator)
  })
  const setOwner = (bot: ApiClient, formerOwner: ApiClient, newOwner: ApiClient) =>
    formerOwner.call(updateBot, { bot_user_id: bot.userId, bot_owner_id: newOwner.userId })
  /** The same bot, by the key that its owner sees. */
  const asOwnedBy = async (owner: ApiClient, { userId, email }: ApiClient) => {
    const { bots } = await owner.call(listBots, {})
    const apiKey = bots.find(({ user_id }) => user_id === userId)?.api_key ?? ''
    return new ApiClient(system().baseUrl, { userId, email, apiKey })
  }
  const channelsOf = async (client: ApiClient) =>
    (await client.call(listSubscriptions, {})).subscriptions.map(({ stream_id }) => stream_id)
  /** The messages that are found of a channel: in it, among everything, and among starred ones. */
  const textsVisibleTo = async (client: ApiClient, channelId: number) => {
    const texts: string[] = []
    for (const narrow of [
      [{ operator: 'channel', operand: channelId }],
      [],
      [{ operator: 'is', operand: 'starred' }],
    ]) {
      const page = { anchor: 'newest', num_before: 200, num_after: 0, narrow, apply_markdown: false }
      const answer = await client.send(getMessages, page)
      const { messages = [] } = answer.body as { messages?: Message[] }
      texts.push(...messages.filter(({ stream_id }) => stream_id === channelId).map(({ content }) => content))
    }
    return [...new Set(texts)].filter((text) => !text.includes('created this channel'))
  }

  describe('a bot with a new owner', () => {
    test('leaves the private channels without its new owner before the response', async () => {
      const bot = await newBotOf(ann)
      const [secret, shared] = [
        await createChannel(ann, { isPrivate: true, others: [bot, cem] }),
        await createChannel(ann, { isPrivate: true, others: [bot, ben] }),
      ]
      const open = await createChannel(ann, { others: [bot] })
      const message_id = await sendToChannel(ann, secret.name, 'not for ben')

      await setOwner(bot, ann, ben)

      const reassignedBot = await asOwnedBy(ben, bot)
      expect(await channelsOf(reassignedBot)).toEqual(expect.arrayContaining([shared.id, open.id]))
      expect(await channelsOf(reassignedBot)).not.toContain(secret.id)
      expect(await reassignedBot.send(getMessage, { message_id })).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'Invalid message(s)' }),
      )
      expect(await textsVisibleTo(reassignedBot, secret.id)).toEqual([])
      expect(await reassignedBot.send(getChannel, { stream_id: secret.id })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('keeps what it starred in an archived channel that everybody could read', async () => {
      const bot = await newBotOf(ann)
      const open = await createChannel(ann, { others: [bot] })
      const message_id = await sendToChannel(ann, open.name, 'still here')
      await bot.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' })
      await ann.call(archiveChannel, { stream_id: open.id })

      await setOwner(bot, ann, ben)

      const { message } = await (await asOwnedBy(ben, bot)).call(getMessage, { message_id })
      expect(message.flags).toContain('starred')
    })

    test('is removed from the subscribers that other users see', async () => {
      const bot = await newBotOf(ann)
      const secret = await createChannel(ann, { isPrivate: true, others: [bot, cem] })
      const watcher = await watch(cem, { event_types: ['message', 'subscription'] })

      const [events = []] = await eventsOf(system(), [watcher], () => setOwner(bot, ann, ben))

      expect(events.filter(({ type }) => type === 'subscription')).toMatchObject([
        { op: 'peer_remove', stream_ids: [secret.id], user_ids: [bot.userId] },
      ])
      const { subscribers } = await cem.call(listSubscribers, { stream_id: secret.id })
      expect(subscribers).toEqual([ann.userId, cem.userId])
      await stopWatching([watcher])
    })

    test('leaves a private channel without other subscribers, which stays', async () => {
      const bot = await newBotOf(ann)
      const lonely = await createChannel(ann, { isPrivate: true, others: [bot] })
      await ann.call(unsubscribe, { subscriptions: [lonely.name] })

      await setOwner(bot, ann, ben)

      const { subscribers } = await admin.call(listSubscribers, { stream_id: lonely.id })
      expect(subscribers).toEqual([])
    })

    test('keeps of a protected history only the messages that its new owner received too', async () => {
      const bot = await newBotOf(ann)
      const settings = { isPrivate: true, hasSharedHistory: false, others: [bot] }
      const cellar = await newChannel(ann, settings)
      await sendToChannel(ann, cellar.name, 'before ben')
      await ann.call(subscribe, { subscriptions: [{ name: cellar.name }], principals: [ben.userId] })
      await sendToChannel(ann, cellar.name, 'with ben')

      await setOwner(bot, ann, ben)
      await sendToChannel(ann, cellar.name, 'afterwards')

      expect(await textsVisibleTo(ben, cellar.id)).toEqual(['with ben', 'afterwards'])
      expect(await textsVisibleTo(await asOwnedBy(ben, bot), cellar.id)).toEqual(['with ben', 'afterwards'])
    })

    test('keeps none of a protected history when its new owner reactivates it', async () => {
      const bot = await newBotOf(ann)
      const settings = { isPrivate: true, hasSharedHistory: false, others: [bot] }
      const cellar = await newChannel(ann, settings)
      const message_id = await sendToChannel(ann, cellar.name, 'before ben')
      const flagged = { messages: [message_id], op: 'add' as const, flag: 'starred' }
      await bot.call(endpoints.messaging.updateMessageFlags, flagged)

      await setOwner(bot, ann, ben)
      const principals = [ben.userId, bot.userId]
      await ann.call(subscribe, { subscriptions: [{ name: cellar.name }], principals })

      const reassignedBot = await asOwnedBy(ben, bot)
      expect(await channelsOf(reassignedBot)).toContain(cellar.id)
      expect(await textsVisibleTo(reassignedBot, cellar.id)).toEqual([])
      expect(await reassignedBot.send(getMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('posts only in private channels of its new owner', async () => {
      const bot = await newBotOf(ann)
      const [annas, bens] = [
        await createChannel(ann, { isPrivate: true, others: [cem] }),
        await createChannel(ben, { isPrivate: true }),
      ]
      const post = (client: ApiClient, { name }: { name: string }) =>
        client.send(sendMessage, { type: 'channel', to: name, topic: 'a topic', content: 'x' })
      expect(await post(bot, annas)).toMatchObject(success())

      await setOwner(bot, ann, ben)

      const reassignedBot = await asOwnedBy(ben, bot)
      expect(await post(reassignedBot, annas)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await post(reassignedBot, bens)).toMatchObject(success())
    })

    test('leaves the files that it uploaded to the previous owner', async () => {
      const bot = await newBotOf(ann)
      const secret = await createChannel(ann, { isPrivate: true, others: [bot] })
      const [hidden, unused] = [await uploadTo(bot), await uploadTo(bot)]
      await sendToChannel(bot, secret.name, `See [this](${hidden}).`)

      await setOwner(bot, ann, ben)

      const reassignedBot = await asOwnedBy(ben, bot)
      for (const url of [hidden, unused]) expect((await reassignedBot.fetch(url)).status).toBe(404)
      expect(await reassignedBot.call(endpoints.messaging.listAttachments, {})).toMatchObject({
        attachments: [],
      })
      for (const url of [hidden, unused]) expect((await ann.fetch(url)).status).toBe(200)
    })

    test('loses its event queues with everything pending in them', async () => {
      const bot = await newBotOf(ann)
      const secret = await createChannel(ann, { isPrivate: true, others: [bot] })
      const { queueId, lastEventId } = await registerQueue(bot, {
        event_types: ['message'],
        all_public_streams: true,
      })
      await sendToChannel(ann, secret.name, 'waits for the bot')

      await setOwner(bot, ann, ben)

      const reassignedBot = await asOwnedBy(ben, bot)
      const poll = { queue_id: queueId, last_event_id: lastEventId, dont_block: true }
      // The event of the change ends it.
      await until(async () => {
        const { body } = await reassignedBot.send(endpoints.events.getEvents, poll)
        return body['code'] === 'BAD_EVENT_QUEUE_ID'
      })
    })
  })

  describe('the key of a bot with a new owner', () => {
    test('is delivered to the users who manage the bot, not to the previous owner', async () => {
      const [one, other] = [await newBotOf(ann), await newBotOf(ann)]

      const byFormerOwner = await setOwner(one, ann, ben)
      const byAdmin = await setOwner(other, admin, ben)

      expect(byFormerOwner).not.toHaveProperty('api_key')
      const { apiKey } = (await asOwnedBy(ben, other)).account ?? {}
      expect(byAdmin).toMatchObject({ api_key: apiKey })
      expect(byAdmin.api_key).not.toBe(other.account?.apiKey)
      expect(await other.send(getOwnUser, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    })

    test('is delivered to the new owner, while the previous owner only sees the bot removed', async () => {
      const bot = await newBotOf(ann)
      const fetch_event_types = ['realm_bot']
      const [annas, bens] = await Promise.all(
        [ann, ben].map(async (client) => (await registerQueue(client, { fetch_event_types })).follow()),
      )

      await setOwner(bot, ann, ben)

      const { apiKey } = (await asOwnedBy(ben, bot)).account ?? {}
      const keyOf = ({ type, bot: eventBot }: { type: string; bot?: unknown }) =>
        type === 'realm_bot' ? (eventBot as { api_key?: string }).api_key : undefined
      await bens?.waitFor((event) => keyOf(event) === apiKey, 'the new key')
      const isEnd = ({ type, op }: { type: string; op?: unknown }) => type === 'realm_bot' && op === 'delete'
      await annas?.waitFor(isEnd, 'its end')
      expect(JSON.stringify(annas?.events)).not.toContain(apiKey)
    })

    test('comes with a notice to both owners', async () => {
      const bot = await newBotOf(ann)

      await setOwner(bot, ann, ben)

      const noticeOf = async (client: ApiClient) => {
        const narrow = [{ operator: 'is', operand: 'dm' }]
        const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false }
        const { messages } = await client.call(getMessages, page)
        return messages[0] as { content: string; sender_email: string } | undefined
      }
      const [toAnn, toBen] = [await noticeOf(ann), await noticeOf(ben)]
      for (const notice of [toAnn, toBen]) {
        expect(notice?.sender_email).toContain('notification-bot')
        expect(notice?.content).toContain(`|${bot.userId}**`)
      }
      expect(toAnn?.content).toContain('Its old API key no longer works')
      expect(toBen?.content).toContain('You find the new key among your bots')
    })

    test('is replaced together with the token of its outgoing webhook', async () => {
      const names = { full_name: 'Handed Over', short_name: 'handed-over' }
      const webhook = { bot_type: BotType.outgoingWebhook, payload_url: 'https://example.com/hook' } as const
      const { user_id } = await ann.call(createBot, { ...names, ...webhook })
      const tokenFor = async (client: ApiClient) => {
        const { state } = await registerQueue(client, { fetch_event_types: ['realm_bot'] })
        const bots = state['realm_bots'] as { user_id: number; services: { token: string }[] }[]
        return bots.find((bot) => bot.user_id === user_id)?.services[0]?.token
      }
      const before = await tokenFor(ann)

      await ann.call(updateBot, { bot_user_id: user_id, bot_owner_id: ben.userId })

      expect(await tokenFor(ann)).toBeUndefined()
      expect(await tokenFor(ben)).toMatch(/^\w{32}$/)
      expect(await tokenFor(ben)).not.toBe(before)
    })
  })

  describe('a bot that an administrator reactivates', () => {
    test('leaves the private channels without the administrator, and has its new key in the response', async () => {
      const [eve] = await newUsers(system(), 1)
      const bot = await newBotOf(eve)
      const secret = await createChannel(eve, { isPrivate: true, others: [bot, cem] })
      const shared = await createChannel(eve, { isPrivate: true, others: [bot, admin] })
      const message_id = await sendToChannel(eve, secret.name, 'not for administrators')
      await system().owner.call(deactivateUser, { user_id: eve.userId })

      const { api_key } = await admin.call(reactivateUser, { user_id: bot.userId })

      const reassignedBot = await asOwnedBy(admin, bot)
      expect(api_key).toBe(reassignedBot.account?.apiKey)
      expect(await channelsOf(reassignedBot)).toEqual([shared.id])
      expect(await reassignedBot.send(getMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))
      const { subscribers } = await cem.call(listSubscribers, { stream_id: secret.id })
      expect(subscribers).toEqual([cem.userId])
    })

    test('stays in its channels if its owner is active again', async () => {
      const [eve] = await newUsers(system(), 1)
      const bot = await newBotOf(eve)
      const secret = await createChannel(eve, { isPrivate: true, others: [bot] })
      await system().owner.call(deactivateUser, { user_id: eve.userId })
      await system().owner.call(reactivateUser, { user_id: eve.userId })

      expect(await admin.call(reactivateUser, { user_id: bot.userId })).not.toHaveProperty('api_key')

      expect(await bot.send(getOwnUser, {})).toMatchObject(success())
      expect(await channelsOf(bot)).toContain(secret.id)
    })
  })
}
