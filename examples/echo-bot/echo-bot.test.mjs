// The bot, tried against the whole system: a minute of reading shows what a test of yours needs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TeamMessagingContainer } from '@tms/testcontainers'
import { startEchoBot } from './echo-bot.mjs'

let chat
let bot
before(async () => {
  chat = await new TeamMessagingContainer()
    .withUser({ fullName: 'Iago' })
    .withBot({ fullName: 'Echo' })
    .withChannel({ name: 'support' })
    .start()
  const { email, apiKey } = chat.getUser('Echo')
  bot = await startEchoBot({ url: chat.getBaseUrl(), email, apiKey })
})
after(async () => {
  await bot?.stop()
  await chat?.stop()
})

test('echoes a message that mentions the bot, in the same topic', async () => {
  const iago = chat.getClient('Iago')
  const inbox = await iago.openInbox()

  await iago.send({ channel: 'support', topic: 'hello', content: '@**Echo** is anybody there?' })

  const reply = await inbox.next((message) => message.sender_full_name === 'Echo')
  assert.equal(reply.content, 'is anybody there?')
  assert.equal(reply.subject, 'hello')
})

test('what is written to it alone is answered alone', async () => {
  const iago = chat.getClient('Iago')
  const inbox = await iago.openInbox()

  await iago.send({ to: [chat.getUser('Echo').userId], content: 'psst' })

  const reply = await inbox.next((message) => message.sender_full_name === 'Echo')
  assert.equal(reply.type, 'private')
  assert.equal(reply.content, 'psst')
})

test('what is not meant for it is left alone', async () => {
  const iago = chat.getClient('Iago')
  const inbox = await iago.openInbox()

  await iago.send({ channel: 'support', topic: 'lunch', content: 'pizza?' })
  await iago.send({ channel: 'support', topic: 'lunch', content: '@**Echo** or soup?' })

  const reply = await inbox.next((message) => message.sender_full_name === 'Echo')
  assert.equal(reply.content, 'or soup?')
})
