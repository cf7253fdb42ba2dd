import { setTimeout as sleep } from 'node:timers/promises'

const CLIENTS = 10
const PAUSE_MS = 20

interface Account {
  email: string
  apiKey: string
}

/** Calls an operation; `T` are the fields of its answer that are used. */
type Call = <T>(method: string, path: string, fields?: Record<string, string>) => Promise<T>

/** Bots follow their queues while their owner sends, reads and makes some invalid requests. */
export async function generateLoad(baseUrl: string, owner: Account, durationMs: number): Promise<void> {
  const call = createCall(baseUrl, owner)
  const endsAt = Date.now() + durationMs
  const followers = Array.from({ length: CLIENTS }, (_, number) => follow(baseUrl, call, number, endsAt))
  await Promise.all([act(call, endsAt), ...followers])
}

function createCall(baseUrl: string, { email, apiKey }: Account): Call {
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
  return async (method, path, fields = {}) => {
    const encoded = new URLSearchParams(fields)
    const answer = await fetch(`${baseUrl}/api/v1${path}${method === 'GET' ? `?${encoded}` : ''}`, {
      method,
      headers: { authorization },
      ...(method === 'GET' ? {} : { body: encoded }),
    })
    return JSON.parse(await answer.text())
  }
}

/** Creates a bot that follows its event queue until the end. */
async function follow(baseUrl: string, call: Call, number: number, endsAt: number): Promise<void> {
  const named = { full_name: `Follower ${number}`, short_name: `follower-${number}` }
  const bot = await call<{ user_id: number; api_key: string }>('POST', '/bots', named)
  const { members } = await call<{ members: { user_id: number; email: string }[] }>('GET', '/users')
  const email = members.find(({ user_id }) => user_id === bot.user_id)?.email ?? ''
  await call('POST', '/users/me/subscriptions', {
    subscriptions: '[{"name": "general"}]',
    principals: JSON.stringify([bot.user_id]),
  })
  const callAsBot = createCall(baseUrl, { email, apiKey: bot.api_key })
  const queue = await callAsBot<{ queue_id: string; last_event_id: number }>('POST', '/register')
  let lastEventId = queue.last_event_id
  while (Date.now() < endsAt) {
    const position = { queue_id: queue.queue_id, last_event_id: String(lastEventId) }
    const { events } = await callAsBot<{ events: { id: number }[] }>('GET', '/events', position)
    lastEventId = Math.max(lastEventId, ...events.map(({ id }) => id))
  }
}

async function act(call: Call, endsAt: number): Promise<void> {
  for (let i = 0; Date.now() < endsAt + 1_000; i++) {
    await call('POST', '/messages', {
      ...{ type: 'stream', to: 'general', topic: 'trial', content: `message ${i}` },
    })
    if (i % 10 === 0) await call('GET', '/messages', { anchor: 'newest', num_before: '20', num_after: '0' })
    if (i % 25 === 0) await call('PATCH', '/settings', { twenty_four_hour_time: String(i % 50 === 0) })
    if (i % 40 === 0) await call('GET', '/no_such_path')
    if (i % 50 === 0) await call('POST', '/register')
    await sleep(PAUSE_MS)
  }
}
