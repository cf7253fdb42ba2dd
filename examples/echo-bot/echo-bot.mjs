// A bot that repeats what is said to it: whoever mentions it, or writes to it alone, gets their words back.
import { fileURLToPath } from 'node:url'

/** What stands between the messages of one answer and the next after a failure: neither impatient nor absent. */
const RETRY_MS = 1_000

/**
 * Starts the bot. `site` is the server's base URL; `email` and `apiKey` are the bot's. Resolves once it hears everything that is
 * sent from then on; `stop` ends it.
 */
export async function startEchoBot({ site, email, apiKey }) {
  const stopping = new AbortController()
  const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`

  async function call(method, path, fields) {
    const parameters = new URLSearchParams(fields)
    const isRead = method === 'GET'
    const response = await fetch(`${site}/api/v1${path}${isRead ? `?${parameters}` : ''}`, {
      method,
      headers: { authorization },
      body: isRead ? null : parameters,
      signal: stopping.signal,
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.msg}`)
    return answer
  }

  const listen = () => call('POST', '/register', { event_types: '["message"]', apply_markdown: 'false' })

  async function echo({ message, flags }) {
    const isMine = message.sender_email === email
    const isForMe = message.type === 'private' || flags.includes('mentioned')
    if (isMine || !isForMe) return
    const content = message.content.replace(/@\*\*[^*]+\*\*/g, '').trim() || 'Yes?'
    const where =
      message.type === 'private'
        ? { type: 'direct', to: JSON.stringify(message.display_recipient.map(({ id }) => id)) }
        : { type: 'stream', to: message.display_recipient, topic: message.subject }
    await call('POST', '/messages', { ...where, content })
  }

  async function follow({ queue_id, last_event_id }) {
    for (let last = last_event_id; ; ) {
      const { events } = await call('GET', '/events', { queue_id, last_event_id: last })
      for (const event of events) {
        if (event.type === 'message') await echo(event)
        last = event.id
      }
    }
  }

  async function run(first) {
    for (let queue = first; !stopping.signal.aborted; ) {
      try {
        await follow(queue ?? (await listen()))
      } catch (err) {
        if (stopping.signal.aborted) return
        console.error(`${err.message}: listening anew`)
        queue = null
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  const running = run(await listen())
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { SITE: site, EMAIL: email, API_KEY: apiKey } = process.env
  await startEchoBot({ site, email, apiKey })
  console.log(`${email} listens at ${site}`)
}
