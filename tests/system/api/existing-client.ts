import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@tms/contracts'
import { type Account, type ApiClient, createTestFolder, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ZulipJs } from 'zulip-js'
import { newBotOf } from '../support/bots.ts'
import { until } from '../support/until.ts'
import { newChannelName, newUsers } from '../support/users-and-channels.ts'

const BOT = fileURLToPath(new URL('../support/existing-bot.mjs', import.meta.url))

/** The reference server's client for JavaScript from npm: made by others, for another server, and used unchanged. */
export const existingClientTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let client: ZulipJs
  let zulip: typeof import('zulip-js').default
  beforeAll(async () => {
    // It replaces the platform's form class, which the other tests of this process use.
    const { FormData } = globalThis
    zulip = (await import('zulip-js')).default
    globalThis.FormData = FormData
    ;[ann, ben] = await newUsers(system(), 2, { hasPassword: true })
    client = await zulip({ ...signInOf(ann), apiKey: keyOf(ann) })
  })
  const signInOf = ({ email }: ApiClient) => ({ username: email, realm: system().baseUrl })
  const keyOf = ({ account }: ApiClient): string => (account as Account).apiKey

  test('signs in by password', async () => {
    const signedIn = await zulip({ ...signInOf(ann), password: `password of ${ann.email}` })

    expect(signedIn.config.apiKey).toBe(keyOf(ann))
    expect(await signedIn.users.me.getProfile()).toMatchObject({ result: 'success', user_id: ann.userId })
  })

  test('creates a channel, finds it, and leaves it', async () => {
    const name = newChannelName()
    const add = await client.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name }]) })
    expect(add).toMatchObject({ result: 'success', subscribed: { [ann.userId]: [name] } })

    const { stream_id } = await client.streams.getStreamId(name)
    expect((await client.streams.retrieve()).streams).toContainEqual(
      expect.objectContaining({ name, stream_id }),
    )
    const { subscriptions } = await client.streams.subscriptions.retrieve()
    expect(subscriptions).toContainEqual(expect.objectContaining({ name, stream_id }))
    const message = { type: 'stream', to: name, topic: 'a topic', content: 'x' }
    expect(await client.messages.send(message)).toMatchObject({ result: 'success' })
    expect((await client.streams.topics.retrieve({ stream_id })).topics).toContainEqual(
      expect.objectContaining({ name: 'a topic' }),
    )

    const removed = await client.users.me.subscriptions.remove({ subscriptions: JSON.stringify([name]) })
    expect(removed).toMatchObject({ result: 'success', removed: [name] })
  })

  test('sends, edits, marks, reacts to and deletes messages', async () => {
    const name = newChannelName()
    await client.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name }]) })
    // Older clients call the topic `subject`.
    const sent = await client.messages.send({ type: 'stream', to: name, subject: 'then', content: '*a*' })
    const message_id = sent.id as number

    expect(await client.messages.render('*a*')).toMatchObject({ rendered: '<p><em>a</em></p>' })
    expect(await client.messages.update({ message_id, content: '*b*' })).toMatchObject({ result: 'success' })
    expect(await client.messages.flags.add({ messages: [message_id], flag: 'starred' })).toMatchObject({
      result: 'success',
      messages: [message_id],
    })
    const emoji = { message_id, emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
    expect(await client.reactions.add(emoji)).toMatchObject({ result: 'success' })
    const narrow = [{ operator: 'stream', operand: name }]
    const found = await client.messages.retrieve({ anchor: 'newest', num_before: 1, num_after: 0, narrow })
    expect(found.messages).toMatchObject([
      {
        id: message_id,
        subject: 'then',
        content: '<p><em>b</em></p>',
        flags: expect.arrayContaining(['starred']),
        reactions: [{ emoji_name: 'tada', user_id: ann.userId }],
      },
    ])
    expect(await client.messages.getHistoryById({ message_id })).toMatchObject({
      message_history: [{ content: '*a*' }, { content: '*b*' }],
    })
    expect(await client.reactions.remove(emoji)).toMatchObject({ result: 'success' })
    expect(await client.messages.flags.remove({ messages: [message_id], flag: 'starred' })).toMatchObject({
      result: 'success',
    })

    const owner = await zulip({ ...signInOf(system().owner), apiKey: keyOf(system().owner) })
    expect(await owner.messages.deleteById({ message_id })).toMatchObject({ result: 'success' })
    expect(await client.messages.getById({ message_id })).toMatchObject({
      result: 'error',
      code: 'BAD_REQUEST',
    })
  })

  test('lists users, emoji and alert words, sends typing notifications, and reads the server settings', async () => {
    expect((await client.users.retrieve()).members).toContainEqual(
      expect.objectContaining({ user_id: ben.userId, email: ben.email }),
    )
    expect(await client.emojis.retrieve()).toMatchObject({ result: 'success', emoji: {} })
    expect(await client.users.me.alertWords.retrieve()).toMatchObject({ alert_words: [] })
    expect(await client.typing.send({ to: [ben.userId, ann.userId], op: 'start' })).toMatchObject({
      result: 'success',
    })
    expect(await client.server.settings()).toMatchObject({ realm_uri: expect.any(String) })
    expect(await client.callEndpoint('/users/me/presence', 'POST', { status: 'active' })).toMatchObject({
      result: 'success',
    })
  })

  test('calls endpoints that newer servers lack: the pointer, and linkifiers as filters', async () => {
    const name = newChannelName()
    await client.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name }]) })
    const sent = await client.messages.send({ type: 'stream', to: name, topic: 'a topic', content: 'x' })

    expect(await client.users.me.pointer.retrieve()).toMatchObject({ result: 'success', pointer: -1 })
    expect(await client.users.me.pointer.update(sent.id)).toMatchObject({ result: 'success' })
    expect(await client.users.me.pointer.retrieve()).toMatchObject({ pointer: sent.id })

    const linkifier = { pattern: 'TICKET-(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
    const { id: filter_id } = await system().owner.call(endpoints.realm.addLinkifier, linkifier)
    expect(await client.filters.retrieve()).toMatchObject({
      result: 'success',
      filters: expect.arrayContaining([[linkifier.pattern, 'https://example.com/%(id)s', filter_id]]),
    })
    await system().owner.call(endpoints.realm.removeLinkifier, { filter_id })
  })

  test('uses the storage of its bot, and runs a command', async () => {
    const bot = await newBotOf(ben)
    const program = await zulip({ ...signInOf(bot), apiKey: keyOf(bot) })
    const storage = (method: string, params: object) => program.callEndpoint('/bot_storage', method, params)
    const keys = JSON.stringify(['score'])

    expect(await storage('PUT', { storage: JSON.stringify({ score: '7' }) })).toMatchObject({
      result: 'success',
    })
    expect(await storage('GET', { keys })).toMatchObject({ result: 'success', storage: { score: '7' } })
    expect(await storage('DELETE', { keys })).toMatchObject({ result: 'success' })
    expect(await storage('GET', { keys })).toMatchObject({ result: 'error', msg: 'Key does not exist.' })
    expect(await client.callEndpoint('/zcommand', 'POST', { command: '/ping' })).toMatchObject({
      result: 'success',
    })
  })

  test('opens a queue for everything, polls and closes it', async () => {
    const state = await client.queues.register({ fetch_event_types: ['realm_user'] })
    expect(state).toMatchObject({ result: 'success', realm_users: expect.any(Array) })
    const { queue_id } = state
    await ben.call(endpoints.messaging.sendMessage, {
      type: 'direct',
      to: [ann.userId],
      content: 'for the queue',
    })

    const polled = await client.events.retrieve({ queue_id, last_event_id: -1, dont_block: false })
    expect(polled.events).toMatchObject([{ type: 'message', message: { sender_email: ben.email } }])
    expect(await client.queues.deregister({ queue_id })).toMatchObject({ result: 'success' })
    expect(await client.events.retrieve({ queue_id, last_event_id: 0 })).toMatchObject({
      result: 'error',
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id,
    })
  })

  describe('a bot that uses it', () => {
    const post = (content: string) =>
      ben.call(endpoints.messaging.sendMessage, { type: 'direct', to: [ann.userId], content })

    test('receives everything once and in order while gateway and events are killed, without a second queue', async () => {
      const folder = createTestFolder(process.env)
      const file = join(folder, 'zuliprc')
      const lines = ['[api]', `email=${ann.email}`, `key=${keyOf(ann)}`, `site=${system().baseUrl}`]
      await writeFile(file, lines.join('\n'))
      const bot = spawn(process.execPath, [BOT, file], { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(bot, 'exit')
      const received: string[] = []
      createInterface(bot.stdout).on('line', (line) => {
        const [, content] = /^heard: (.*)/.exec(line) ?? []
        if (content !== undefined && content !== 'hello') received.push(content)
      })
      try {
        await until(async () => {
          await post('hello')
          const { messages } = await ben.call(endpoints.messaging.getMessages, {
            anchor: 'newest',
            num_before: 20,
            num_after: 0,
            narrow: [{ operator: 'sender', operand: ann.userId }],
            apply_markdown: false,
          })
          return messages.some(({ content }) => content === 'hello to you')
        })
        const sentTexts: string[] = []
        for (const service of ['events', 'gateway'] as const) {
          const replica = system().system.replica(service, 0)
          await post(`before ${service} dies`)
          await replica.kill()
          await replica.start()
          await post(`after ${service} died`)
          sentTexts.push(`before ${service} dies`, `after ${service} died`)
        }
        await until(async () => {
          expect(bot.exitCode).toBeNull()
          return received.includes(sentTexts.at(-1) as string)
        })

        expect(received).toEqual(sentTexts)
      } finally {
        bot.kill()
        await ended
        await rm(folder, { recursive: true })
      }
    })
  })
}
