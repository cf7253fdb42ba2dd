import { type EndpointInput, endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import {
  type ApiClient,
  type ClientEvent,
  type EventQueue,
  registerQueue,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, metricOf } from './support/observe.ts'
import { until } from './support/until.ts'
import { newChannel, newUsers, secondsFromNow, sendDirectly } from './support/users-and-channels.ts'
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

const { createBot } = endpoints.users
const { createScheduledMessage, getMessages, listScheduledMessages, sendMessage } = endpoints.messaging
type Message = Omit<EndpointInput<typeof createScheduledMessage>, 'content' | 'scheduled_delivery_timestamp'>
type Narrow = NonNullable<EndpointInput<typeof getMessages>['narrow']>
const MESSAGES = 200

/** In seconds: longer than the tests take to schedule messages. */
const LATER = 3_600

let product: TestSystem
let db: Pool
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { messaging: 2 },
    serviceEnv: { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'true' },
  })
  db = createPool(product.system.databaseUrls.messaging, 1, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await db.end()
  await product.stop()
})

/** Makes all scheduled messages due in this second: no test waits for a time later than that by which it has scheduled them. */
const letTimeCome = () =>
  db.query(
    `update scheduled_messages
        set deliver_at = floor(extract(epoch from now())), attempt_at = now()
      where not failed
     returning id`,
  )

describe('scheduled messages that are due at once', () => {
  test('are each sent once, although a replica dies meanwhile', async () => {
    const { owner, system } = product
    const channel = await newChannel(owner)
    const queue = (await registerQueue(owner)).follow()
    const scheduled = await scheduleAll(channel.id)
    await letTimeCome()

    // When a replica dies during their delivery
    await queue.until(() => ofType(queue, 'message').length > 5, 'the first messages')
    const dying = system.replica('messaging', 0)
    await dying.kill('SIGKILL')
    const left = MESSAGES - ofType(queue, 'message').length
    await dying.start()

    // Then each was sent once, and its end was delivered once
    await untilNoneIsScheduled()
    await queue.until(() => removed(queue).length >= MESSAGES, 'the end of each')
    expect(left).toBeGreaterThan(0)
    expect(await contentsIn(channel.name)).toEqual(numbers)
    expect(removed(queue).sort((a, b) => a - b)).toEqual(scheduled)
    expect(ofType(queue, 'message')).toHaveLength(MESSAGES)
    await queue.stop()
  })

  test('are each sent once after all replicas were down at their time', async () => {
    const { system, owner } = product
    const replicas = [system.replica('messaging', 0), system.replica('messaging', 1)]
    const channel = await newChannel(owner)
    await scheduleAll(channel.id)

    await Promise.all(replicas.map((replica) => replica.kill('SIGKILL')))
    await letTimeCome()
    await Promise.all(replicas.map((replica) => replica.start()))

    await untilNoneIsScheduled()
    expect(await contentsIn(channel.name)).toEqual(numbers)
  })
})

describe('scheduled messages of one second', () => {
  const COUNT = 40
  let channel: { id: number; name: string }
  let other: ApiClient
  beforeAll(async () => {
    ;[other] = await newUsers(product, 1)
    channel = await newChannel(product.owner, { others: [other] })
  })
  const texts = Array.from({ length: COUNT }, (_, index) => `number ${index}`)
  /** Schedules them sequentially, with alternating senders, so that IDs grow with the number. */
  const scheduleInTurn = async (messageOf: (sender: ApiClient, index: number) => Message) => {
    const scheduled_delivery_timestamp = secondsFromNow(LATER)
    for (const [index, content] of texts.entries()) {
      const sender = index % 2 === 0 ? product.owner : other
      const message = { ...messageOf(sender, index), content, scheduled_delivery_timestamp }
      await sender.call(createScheduledMessage, message)
    }
  }
  const textsIn = async (narrow: Narrow, subject?: string) => {
    const page = { anchor: 'newest', num_before: 1_000, num_after: 0, apply_markdown: false }
    const { messages } = await product.owner.call(getMessages, { ...page, narrow })
    return messages
      .filter((message) => subject === undefined || message.subject.toLowerCase() === subject)
      .map(({ content }) => content)
  }
  const untilSent = () => Promise.all([product.owner, other].map(untilNoneIsScheduled))

  test('are delivered in the order of their IDs in each topic, regardless of case, from two senders', async () => {
    const topics = ['Lunch', 'tea', 'lunch', 'Tea']
    const topicOf = (index: number) => topics[index % topics.length] as string
    await scheduleInTurn((_, index) => ({ type: 'channel', to: channel.id, topic: topicOf(index) }))
    await letTimeCome()
    await untilSent()

    const narrow = [{ operator: 'channel', operand: channel.name }]
    for (const [target, topic] of ['lunch', 'tea'].entries()) {
      expect(await textsIn(narrow, topic)).toEqual(texts.filter((_, index) => index % 2 === target))
    }
  })

  test('are delivered in the order of their IDs in a conversation with several senders', async () => {
    const [third] = await newUsers(product, 1)
    const all = [product.owner.userId, other.userId, third.userId]
    const toOthers = ({ userId }: ApiClient) => all.filter((id) => id !== userId)
    await scheduleInTurn((sender) => ({ type: 'direct', to: toOthers(sender) }))
    await letTimeCome()
    await untilSent()

    expect(await textsIn([{ operator: 'dm', operand: toOthers(product.owner) }])).toEqual(texts)
  })

  test('are delivered without one that is rejected, and one that cannot be stored', async () => {
    const topic = 'obstacles'
    await db.query(`
      create function refuse_number_3() returns trigger language plpgsql as $$
      begin raise exception 'number 3 is not to be stored'; end $$;
      create trigger refuse_number_3 before insert on messages for each row
        when (new.content = 'number 3') execute function refuse_number_3();`)
    await scheduleInTurn(() => ({ type: 'channel', to: channel.id, topic }))
    const { scheduled_messages } = await product.owner.call(listScheduledMessages, {})
    const refused = scheduled_messages.find(({ content }) => content === 'number 2')
    await db.query('update scheduled_messages set content = repeat($2, 2) where id = $1', [
      refused?.scheduled_message_id,
      '\n',
    ])
    await letTimeCome()

    const rest = texts.filter((_, index) => index !== 2 && index !== 3)
    const narrow = [{ operator: 'channel', operand: channel.name }]
    await until(async () => (await textsIn(narrow, topic)).length === rest.length)
    expect(await textsIn(narrow, topic)).toEqual(rest)

    // Once it can be stored, it is.
    await db.query('drop trigger refuse_number_3 on messages; drop function refuse_number_3')
    await untilNoneIsScheduled(other)
    expect(await textsIn(narrow, topic)).toEqual([...rest, 'number 3'])
  })
})

describe('an outgoing webhook that is being called', () => {
  let receiver: WebhookReceiver
  let queue: EventQueue
  let botId: number
  const replicas = () =>
    [product.system.replica('messaging', 0), product.system.replica('messaging', 1)] as const
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    queue = (await registerQueue(product.owner)).follow()
    const bot = { full_name: 'Hook', short_name: 'hook', bot_type: 3, payload_url: receiver.url } as const
    botId = (await product.owner.call(createBot, bot)).user_id
  })
  afterAll(async () => {
    await queue.stop()
    receiver.close()
  })

  /** The number of such notices; effects of a message have arrived once it has. */
  const repliesOf = async (content: string): Promise<number> => {
    const replies = () =>
      queue.events
        .map((event) => event['message'] as { sender_id: number; content: string } | undefined)
        .filter((message) => message?.sender_id === botId && message.content.includes(content))
    await queue.until(() => replies().length > 0, 'the reply')
    const end = await sendDirectly(product.owner, [product.owner], `after ${content}`)
    await queue.until(() => queue.events.some((event) => idOf(event) === end), 'what comes after it')
    return replies().length
  }
  const namesOfCalls = () => new Set(receiver.calls.map(({ headers }) => headers['idempotency-key']))

  test('is called again when all replicas die meanwhile, and replies once', async () => {
    receiver.answer((_, index) => (index === 0 ? new Promise(() => {}) : { body: { content: 'first' } }))
    await product.owner.call(sendMessage, { type: 'direct', to: [botId], content: 'hello' })
    await receiver.untilCalled(1)
    await Promise.all(replicas().map((replica) => replica.kill('SIGKILL')))
    await Promise.all(replicas().map((replica) => replica.start()))

    expect(await repliesOf('first')).toBe(1)
    expect(receiver.calls).toHaveLength(2)
    expect(namesOfCalls().size).toBe(1)
  })

  test('returns the message once when two replicas receive the answer', async () => {
    const [sleeper, other] = replicas()
    await Promise.all(replicas().map((replica) => replica.kill('SIGKILL')))
    await sleeper.start()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })

    // When one of them is paused during its call, and another repeats the call
    receiver.answer(async (_, index) => {
      if (index === 0) await held
      return { body: { content: 'second' } }
    })
    await product.owner.call(sendMessage, { type: 'direct', to: [botId], content: 'hello again' })
    await receiver.untilCalled(1)
    await sleeper.kill('SIGSTOP')
    await other.start()
    await receiver.untilCalled(2)
    await queue.until(() => queue.events.some((event) => textOf(event).includes('second')), 'the reply')
    release()
    await sleeper.kill('SIGCONT')
    await until(async () => (await metricOf(sleeper.url, 'webhook_calls_total')) >= 1)

    expect(await repliesOf('second')).toBe(1)
    expect(namesOfCalls().size).toBe(1)
  })
})

const messageIn = (event: ClientEvent) => event['message'] as { id: number; content: string } | undefined
const idOf = (event: ClientEvent) => messageIn(event)?.id
const textOf = (event: ClientEvent) => messageIn(event)?.content ?? ''

const numbers = Array.from({ length: MESSAGES }, (_, number) => String(number).padStart(3, '0'))

/** Schedules them for later; returns their IDs. */
async function scheduleAll(to: number): Promise<number[]> {
  const message = {
    type: 'channel',
    to,
    topic: 'rush',
    scheduled_delivery_timestamp: secondsFromNow(LATER),
  } as const
  const ids: number[] = []
  // All at once would be too much to render.
  for (let from = 0; from < MESSAGES; from += 10) {
    const some = numbers.slice(from, from + 10)
    const created = await Promise.all(
      some.map((content) => product.owner.call(createScheduledMessage, { ...message, content })),
    )
    ids.push(...created.map(({ scheduled_message_id }) => scheduled_message_id))
  }
  return ids.sort((a, b) => a - b)
}

const untilNoneIsScheduled = (client = product.owner): Promise<void> =>
  until(async () =>
    (await client.call(listScheduledMessages, {})).scheduled_messages.every(({ failed }) => failed),
  )

/** The texts of senders there, without system messages. */
const contentsIn = async (channel: string): Promise<string[]> => {
  const messages = await messagesOf(product.owner, channel)
  return messages
    .map(({ content }) => content.replace(/<\/?p>/g, ''))
    .filter((content) => /^\d+$/.test(content))
    .sort()
}

const ofType = (queue: EventQueue, type: string) =>
  queue.events.filter((event) => event.type === type && isOurs(event))
const isOurs = (event: { [field: string]: unknown }): boolean => {
  const { subject } = (event['message'] ?? {}) as { subject?: string }
  return subject === undefined || subject === 'rush'
}
const removed = (queue: EventQueue): number[] =>
  queue.events
    .filter((event) => event.type === 'scheduled_messages' && event['op'] === 'remove')
    .map((event) => event['scheduled_message_id'] as number)
