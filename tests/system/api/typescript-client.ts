import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, signIn } from '@tms/client'
import type { Account, ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Follower } from '../support/follower.ts'
import { generatedClientOf } from '../support/generated-client.ts'
import { onePixel } from '../support/pictures.ts'
import { newChannelName, newUsers } from '../support/users-and-channels.ts'

const BOT = fileURLToPath(new URL('../../../examples/echo-bot/echo-bot.mjs', import.meta.url))

/** The TypeScript client as bot authors use it, against the real system. */
export const typescriptClientTests = (system: () => TestSystem): void => {
  let annsAccount: ApiClient
  let bensAccount: ApiClient
  let ann: Client
  let ben: Client
  const followers: Follower[] = []
  const follow = (client: Client, options?: Parameters<Client['events']>[0]): Follower => {
    const follower = new Follower(client, options)
    followers.push(follower)
    return follower
  }
  beforeAll(async () => {
    ;[annsAccount, bensAccount] = await newUsers(system(), 2, { hasPassword: true })
    ann = generatedClientOf(annsAccount)
    ben = generatedClientOf(bensAccount)
  })
  afterAll(() => Promise.all(followers.map((follower) => follower.stop())))

  test('signs in, and explains why it cannot', async () => {
    const { email } = annsAccount
    const url = system().baseUrl
    const password = `password of ${email}`

    const client = await signIn(url, { username: email, password })
    expect(await client.getOwnUser()).toMatchObject({ user_id: annsAccount.userId })
    expect(client.options).toMatchObject({ email, apiKey: annsAccount.account?.apiKey })
    await expect(signIn(url, { username: email, password: 'x' })).rejects.toMatchObject({
      name: 'ApiError',
      code: 'AUTHENTICATION_FAILED',
      status: 401,
    })
  })

  test('handles a full session: channels, messages, reactions, files, users and the organization', async () => {
    const bens = follow(ben)
    const state = await bens.state()
    const name = newChannelName()
    await ann.subscribe({ subscriptions: [{ name }], principals: [annsAccount.userId, bensAccount.userId] })
    const { stream_id } = await ann.getChannelId({ stream: name })
    await bens.waitFor((event) => event.type === 'subscription' && event.op === 'add', 'the subscription')

    const { url } = await ann.uploadFile({ filename: new File(['a note'], 'a note.txt') })
    const content = `**hello** [a note](${url})`
    const { id } = await ann.sendMessage({ type: 'channel', to: name, topic: 'a day', content })
    const sent = await bens.waitFor((event) => event.type === 'message' && event.message.id === id, 'it')
    expect(sent).toMatchObject({ message: { content, sender_id: annsAccount.userId, stream_id } })
    const [realm_id = '', shard = '', ...rest] = url.replace('/user_uploads/', '').split('/')
    const file = await ben.getFile({ realm_id: Number(realm_id), shard, filename: rest.join('/') })
    expect(await file.text()).toBe('a note')

    await ann.editMessage({ message_id: id, content: 'edited' })
    await bens.waitFor((event) => event.type === 'update_message' && event.message_id === id, 'the edit')
    await ben.addReaction({ message_id: id, emoji_name: 'tada' })
    await bens.waitFor((event) => event.type === 'reaction' && event.op === 'add', 'the reaction')
    await ben.updateMessageFlags({ messages: [id], op: 'add', flag: 'starred' })
    const { messages } = await ben.getMessages({
      anchor: String(id),
      num_before: 0,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: name }],
      apply_markdown: false,
    })
    expect(messages).toMatchObject([
      {
        id,
        content: 'edited',
        flags: expect.arrayContaining(['starred']),
        reactions: [{ emoji_name: 'tada' }],
      },
    ])

    await ann.updateSettings({ full_name: 'Ann of the Client' })
    await bens.waitFor(
      (event) => event.type === 'realm_user' && event.op === 'update' && 'full_name' in event.person,
      'the name',
    )
    const { user } = await ben.getUser({ user_id: annsAccount.userId })
    expect(user.full_name).toBe('Ann of the Client')
    const direct = await ben.sendMessage({ type: 'direct', to: [annsAccount.userId], content: 'hi' })
    expect(direct.id).toBeGreaterThan(id)

    const owner = generatedClientOf(system().owner)
    await owner.uploadIcon({ filename: new File([onePixel], 'an icon.png', { type: 'image/png' }) })
    await owner.deleteIcon()
    expect(await owner.getServerSettings()).toMatchObject({ realm_name: state.realm_name })
    await expect(ann.deleteIcon()).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' })
  })

  describe('is a bot of fifty lines', () => {
    const startBot = (env: NodeJS.ProcessEnv) => spawn(process.execPath, [BOT], { env })

    test('that repeats messages of others, not its own, however its e-mail is written', async () => {
      const [account] = (await newUsers(system(), 1)).map((user) => user.account)
      const { email, apiKey } = account as Account
      const env = { TMS_URL: system().baseUrl, TMS_EMAIL: email.toUpperCase(), TMS_API_KEY: apiKey }
      const bot = startBot(env)
      const ended = once(bot, 'exit')
      const anns = follow(ann, { event_types: ['message'] })
      const contents = () => anns.events.map((event) => event.type === 'message' && event.message.content)
      try {
        await once(bot.stdout, 'data')
        await anns.state()
        for (const content of ['hello', 'again']) {
          await ann.sendMessage({ type: 'direct', to: [email], content })
          await anns.until(() => contents().filter((one) => one === content).length === 2, 'the echo')
        }
      } finally {
        bot.kill('SIGTERM')
      }
      expect(contents()).toEqual(['hello', 'hello', 'again', 'again'])
      expect(await ended).toEqual([0, null])
    })

    test('that says which settings it needs', async () => {
      const bot = startBot({ TMS_EMAIL: 'echo@example.com' })
      const ended = once(bot, 'exit')
      const errorText = await text(bot.stderr)
      expect(errorText).toMatch(/^Set TMS_URL, TMS_API_KEY: .+\n$/)
      expect(await ended).toEqual([1, null])
    })
  })

  test('sends once for two calls with one idempotency key', async () => {
    const message = { type: 'direct', to: [bensAccount.userId], content: 'once' } as const
    const first = await ann.sendMessage(message, { idempotencyKey: 'one name' })
    const second = await ann.sendMessage(message, { idempotencyKey: 'one name' })

    expect(second.id).toBe(first.id)
  })

  test('sends to a channel whose name is a number', async () => {
    const name = String(Date.now())
    await ann.subscribe({ subscriptions: [{ name }] })

    const { id } = await ann.sendMessage({ type: 'channel', to: name, topic: 'a topic', content: 'x' })
    expect(id).toBeGreaterThan(0)
  })

  describe('its events', () => {
    const post = async (content: string): Promise<void> => {
      await ben.sendMessage({ type: 'direct', to: [annsAccount.userId], content })
    }

    test('continue when the gateway dies during a poll, each delivered once', async () => {
      const anns = follow(ann, { event_types: ['message'] })
      await anns.state()
      await post('before')
      await anns.waitFor((event) => event.type === 'message' && event.message.content === 'before', 'before')
      const gateway = system().system.replica('gateway', 0)
      await gateway.kill()
      await anns.problem()
      await gateway.start()
      await post('after')
      await anns.waitFor((event) => event.type === 'message' && event.message.content === 'after', 'after')

      const contents = anns.events.map((event) => event.type === 'message' && event.message.content)
      expect(contents).toEqual(['before', 'after'])
      expect(anns.states).toHaveLength(1)
    })

    test('report that their queue is lost, and continue from the new state', async () => {
      const anns = follow(ann, { event_types: ['message'] })
      const { queue_id } = await anns.state()
      await ann.deleteEventQueue({ queue_id })
      await anns.until(() => anns.states.length === 2, 'the new state')
      await post('anew')
      await anns.waitFor((event) => event.type === 'message' && event.message.content === 'anew', 'it')

      expect(anns.states[1]?.queue_id).not.toBe(queue_id)
    })

    test('of two streams reach both, and end with their queues', async () => {
      const both = [follow(ann, { event_types: ['message'] }), follow(ann, { event_types: ['message'] })]
      const queues = await Promise.all(both.map((follower) => follower.state()))
      await post('to both')
      for (const follower of both) {
        await follower.waitFor(
          (event) => event.type === 'message' && event.message.content === 'to both',
          'it',
        )
      }
      await Promise.all(both.map((follower) => follower.stop()))

      for (const { queue_id } of queues) {
        await expect(ann.deleteEventQueue({ queue_id })).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
      }
    })

    test('end if the key is not valid', async () => {
      const unauthenticated = createClient({ url: system().baseUrl, email: annsAccount.email, apiKey: 'x' })

      await expect(unauthenticated.events()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
        status: 401,
      })
    })
  })
}
