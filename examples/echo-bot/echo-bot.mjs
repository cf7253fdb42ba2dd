// A bot that repeats messages that mention it or are sent to it directly.
import { fileURLToPath } from 'node:url'
import { createClient } from '@tms/client'

/**
 * Starts the bot. `url` is the server's; `email` and `apiKey` are the bot's. Resolves once it receives everything that is sent
 * from then on; `stop` ends it. `ended` rejects when the server refuses it later, as when its key was replaced.
 */
export async function startEchoBot({ url, email, apiKey }) {
  const client = createClient({ url, email, apiKey })
  const stopping = new AbortController()
  const events = client
    .events({
      event_types: ['message'],
      apply_markdown: false,
      signal: stopping.signal,
    })
    [Symbol.asyncIterator]()
  await events.next() // the first item says that the bot is listening
  const { user_id: ownId } = await client.getOwnUser()

  async function echo({ message, flags }) {
    const isDirect = message.type === 'private'
    if (message.sender_id === ownId || !(isDirect || flags.includes('mentioned'))) return
    const content = message.content.replace(/@\*\*[^*]+\*\*/g, '').trim() || 'Yes?'
    const where = isDirect
      ? { type: 'direct', to: message.display_recipient.map(({ id }) => id) }
      : { type: 'channel', to: message.stream_id, topic: message.subject }
    await client.sendMessage({ ...where, content })
  }

  async function run() {
    for await (const event of events) {
      if (event.type === 'message') await echo(event).catch((err) => console.error(err.message))
    }
  }

  const ended = run()
  return {
    ended,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = ['TMS_URL', 'TMS_EMAIL', 'TMS_API_KEY'].filter((name) => !process.env[name])
  if (missing.length > 0) {
    console.error(`Set ${missing.join(', ')}: the address of the server, and the bot's e-mail and API key`)
    process.exit(1)
  }
  const { TMS_URL: url, TMS_EMAIL: email, TMS_API_KEY: apiKey } = process.env
  try {
    const bot = await startEchoBot({ url, email, apiKey })
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, bot.stop)
    console.log(`${email} listens at ${url}`)
    await bot.ended
  } catch (err) {
    console.error(`${email} can't listen at ${url}: ${err.message}`)
    process.exit(1)
  }
}
