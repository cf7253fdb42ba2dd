import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints } from '@tms/contracts'
import { type EventQueue, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { messagesOf } from './support/observe.ts'
import { newChannel, secondsFromNow } from './support/people.ts'
import { until } from './support/until.ts'

const { createScheduledMessage, listScheduledMessages } = endpoints.messaging
const MESSAGES = 200

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, replicas: { messaging: 2 } })
}, 180_000)
afterAll(() => product.stop(), 60_000)

describe('scheduled messages that are due at once', () => {
  test('are each sent once, though a replica dies meanwhile', async () => {
    const { owner, system } = product
    const channel = await newChannel(owner)
    const queue = (await registerQueue(owner)).follow()
    const scheduled = await scheduleAll(channel.id, 8)

    // When a replica dies amid their delivery
    await queue.until(() => ofType(queue, 'message').length > 5, 'the first messages')
    const dying = system.replica('messaging', 0)
    await dying.kill('SIGKILL')
    const left = MESSAGES - ofType(queue, 'message').length
    await dying.start()

    // Then each was sent once, and its end was told once
    await untilNoneIsScheduled()
    await queue.until(() => removed(queue).length >= MESSAGES, 'the end of each')
    expect(left).toBeGreaterThan(0)
    expect(await contentsIn(channel.name)).toEqual(numbers)
    expect(removed(queue).sort((a, b) => a - b)).toEqual(scheduled)
    expect(ofType(queue, 'message')).toHaveLength(MESSAGES)
    await queue.stop()
  }, 120_000)

  test('are each sent once after nobody was there at their time', async () => {
    const { system, owner } = product
    const replicas = [system.replica('messaging', 0), system.replica('messaging', 1)]
    const channel = await newChannel(owner)
    const due = secondsFromNow(8)
    await scheduleAll(channel.id, 8)

    await Promise.all(replicas.map((replica) => replica.kill('SIGKILL')))
    await until(() => Promise.resolve(Date.now() > (due + 2) * 1000))
    await Promise.all(replicas.map((replica) => replica.start()))

    await untilNoneIsScheduled()
    expect(await contentsIn(channel.name)).toEqual(numbers)
  }, 120_000)
})

const numbers = Array.from({ length: MESSAGES }, (_, number) => String(number).padStart(3, '0'))

/** Schedules them for so many seconds from now; their IDs. */
async function scheduleAll(to: number, seconds: number): Promise<number[]> {
  const message = {
    type: 'channel',
    to,
    topic: 'rush',
    scheduled_delivery_timestamp: secondsFromNow(seconds),
  } as const
  const created = await Promise.all(
    numbers.map((content) => product.owner.call(createScheduledMessage, { ...message, content })),
  )
  return created.map(({ scheduled_message_id }) => scheduled_message_id).sort((a, b) => a - b)
}

const untilNoneIsScheduled = (): Promise<void> =>
  until(async () => (await product.owner.call(listScheduledMessages, {})).scheduled_messages.length === 0)

/** The texts that were sent there, rather than those that the system posts by itself. */
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
