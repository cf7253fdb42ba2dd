import { randomUUID } from 'node:crypto'
import { endpoints } from '@tms/contracts'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from './support/answers.ts'
import { metricOf } from './support/observe.ts'
import { until } from './support/until.ts'
import { newChannel, newUsers } from './support/users-and-channels.ts'

const { createIntegration, getMessages, listWebhookDeliveries, repeatWebhookDelivery } = endpoints.messaging

const PER_MINUTE = 300
/** Deliveries over the limit: they take twelve seconds. */
const MORE = 60
const MAX_WAITING = 70

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { messaging: 2 },
    serviceEnv: { RATE_LIMIT_PER_MINUTE: String(PER_MINUTE), MAX_WAITING_DELIVERIES: String(MAX_WAITING) },
  })
}, 180_000)
afterAll(() => product.stop(), 60_000)

let bots = 0
const newAddress = async (owner: ApiClient, integration: string, channel: { id: number }) => {
  const bot_name = `Bursting ${++bots}`
  const made = await owner.call(createIntegration, { integration, stream: String(channel.id), bot_name })
  const { pathname, search } = new URL(made.url)
  const post = (body: string, headers: Record<string, string> = {}) =>
    product.anonymous.fetch(pathname + search, { method: 'POST', body, headers })
  return { ...made, post }
}
const textOf = (n: number) => `\`\`\`json\n{\n  "n": ${n}\n}\n\`\`\``
const contentsOf = async (reader: ApiClient, narrow: { operator: string; operand: string }) => {
  const page = { anchor: 'newest', num_before: 1_000, num_after: 0, apply_markdown: false }
  const { messages } = await reader.call(getMessages, { ...page, narrow: [narrow] })
  return messages
}
const untilNoneWaits = () =>
  until(
    async () => (await metricOf(product.system.urls.messaging[1] ?? '', 'webhook_deliveries_waiting')) === 0,
  )

describe('deliveries that come faster than a bot may post', () => {
  test('are all posted in their order, each once, although a replica dies meanwhile', async () => {
    const [ann, reader] = await newUsers(product, 2)
    const channel = await newChannel(ann, { others: [reader] })
    const { post, user_id } = await newAddress(ann, 'json', channel)
    const dying = product.system.replica('messaging', 0)

    // When a burst arrives
    const statuses: number[] = []
    for (let n = 0; n < PER_MINUTE + MORE; n++) statuses.push((await post(JSON.stringify({ n }))).status)

    // Then the sender gets a success each time, and the owner sees which wait
    expect(new Set(statuses)).toEqual(new Set([200]))
    const listed = await ann.call(listWebhookDeliveries, { bot_user_id: user_id })
    expect(listed.waiting).toBeGreaterThan(20)
    expect(listed.deliveries[0]).toMatchObject({
      ...{ outcome: 'waiting', status: 200, error: null, message_ids: [] },
      payload: `{"n":${PER_MINUTE + MORE - 1}}`,
    })
    const again = { bot_user_id: user_id, delivery_id: listed.deliveries[0]?.id ?? 0 }
    expect(await ann.send(repeatWebhookDelivery, again)).toMatchObject(refusal('BAD_REQUEST'))

    // And each is posted once and in order
    await dying.kill('SIGKILL')
    await dying.start()
    await untilNoneWaits()
    const messages = await contentsOf(reader, { operator: 'channel', operand: channel.name })
    expect(messages.filter(({ sender_id }) => sender_id === user_id).map(({ content }) => content)).toEqual(
      Array.from({ length: PER_MINUTE + MORE }, (_, n) => textOf(n)),
    )
    const after = await ann.call(listWebhookDeliveries, { bot_user_id: user_id })
    expect(after.waiting).toBe(0)
    expect(after.deliveries).toHaveLength(100)
    expect(after.deliveries.map(({ outcome }) => outcome)).toEqual(Array(100).fill('posted'))
    expect(after.deliveries[0]).toMatchObject({
      id: listed.deliveries[0]?.id,
      message_ids: [messages.at(-1)?.id],
    })

    // And the owner got one notice
    const notices = (await contentsOf(ann, { operator: 'is', operand: 'dm' })).filter(({ content }) =>
      content.includes('faster than it may post'),
    )
    expect(notices).toHaveLength(1)
    expect(notices[0]?.content).toMatch(/^\d+ deliveries have come for your bot .* 300 times a minute/)
  })

  test('wait up to a limit, above which answers say when to try again', async () => {
    const [ann, reader] = await newUsers(product, 2)
    const channel = await newChannel(ann, { others: [reader] })
    const { post, user_id } = await newAddress(ann, 'github', channel)
    const ping = JSON.stringify({
      ...{ zen: 'x', hook: { events: ['push'] }, sender: { login: 'ann', html_url: 'https://a.example' } },
      repository: { name: 'shop', full_name: 'ann/shop', html_url: 'https://a.example/shop', private: false },
    })
    const send = (id: string, event = 'ping') =>
      post(ping, { 'x-github-event': event, 'x-github-delivery': id })
    const firstOver = randomUUID()

    for (let n = 0; n < PER_MINUTE; n++) await send(`${n}`)
    const [once, twice] = [await send(firstOver), await send(firstOver)]
    let last = await send(randomUUID())
    for (let n = 0; n < 3 * MAX_WAITING && last.status === 200; n++) last = await send(randomUUID())

    // The same delivery waits twice and is posted once. Above the limit nothing is read any more.
    expect([once.status, twice.status]).toEqual([200, 200])
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await send(randomUUID(), 'unheard_of')).status).toBe(429)
    const { waiting } = await ann.call(listWebhookDeliveries, { bot_user_id: user_id })
    expect(waiting).toBeGreaterThan(MAX_WAITING / 2)
    await untilNoneWaits()
    const inChannel = await contentsOf(reader, { operator: 'channel', operand: channel.name })
    const messages = inChannel.filter(({ sender_id }) => sender_id === user_id)
    const { deliveries } = await ann.call(listWebhookDeliveries, { bot_user_id: user_id })
    const ids = deliveries.flatMap(({ message_ids }) => message_ids)
    expect(ids.length).toBe(new Set(ids).size + 1)
    expect(messages.length).toBeGreaterThan(PER_MINUTE + MAX_WAITING - 2)
  })
})
