import { endpoints } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { messagesOf } from '../support/observe.ts'
import { newChannel, newUsers } from '../support/users-and-channels.ts'

const { sendMessage } = endpoints.messaging
const AT_ONCE = 12

export const repeatedSendTests = (system: () => TestSystem): void => {
  let sender: ApiClient
  let other: ApiClient
  beforeAll(async () => {
    ;[sender, other] = await newUsers(system(), 2)
  })
  const aChannel = () => newChannel(sender, { others: [other] })
  const messageTo = (channel: { name: string }, content = 'once') =>
    ({ type: 'channel', to: channel.name, topic: 'a topic', content }) as const
  const named = (key: string) => ({ headers: { 'idempotency-key': key } })
  const contentsOf = async (channel: { name: string }) =>
    (await messagesOf(sender, channel.name))
      .map(({ content }) => content)
      .filter((text) => text.includes('once'))

  /** Shifts the send times of a user's messages into the past. */
  const age = async ({ userId }: ApiClient, span: string) => {
    const db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
    await db.query('update idempotency_keys set sent_at = sent_at - $2::interval where user_id = $1', [
      userId,
      span,
    ])
    await db.end()
  }

  describe('a repeated send', () => {
    test('with the same Idempotency-Key returns the first response and sends nothing', async () => {
      const channel = await aChannel()
      const first = await sender.call(sendMessage, messageTo(channel), named('key 1'))
      expect(await sender.call(sendMessage, messageTo(channel), named('key 1'))).toEqual(first)
      expect(await contentsOf(channel)).toHaveLength(1)
    })

    test('from many requests at every replica at once is one message', async () => {
      const channel = await aChannel()
      const tries = Array.from({ length: AT_ONCE }, () =>
        sender.call(sendMessage, messageTo(channel), named('key 2')),
      )
      const ids = (await Promise.all(tries)).map(({ id }) => id)
      expect(new Set(ids).size).toBe(1)
      expect(await contentsOf(channel)).toHaveLength(1)
    })

    test('to users is one message too', async () => {
      const message = { type: 'direct' as const, to: [other.userId], content: 'psst' }
      const tries = Array.from({ length: AT_ONCE }, () => sender.call(sendMessage, message, named('key 3')))
      expect(new Set((await Promise.all(tries)).map(({ id }) => id)).size).toBe(1)
    })

    test('returns the first response even if it would no longer be allowed', async () => {
      const channel = await newChannel(sender, { others: [other], isPrivate: true })
      const first = await other.call(sendMessage, messageTo(channel), named('key 4'))
      await other.call(endpoints.messaging.unsubscribe, { subscriptions: [channel.name] })
      expect(await other.send(sendMessage, messageTo(channel), named('another key'))).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await other.call(sendMessage, messageTo(channel), named('key 4'))).toEqual(first)
    })

    test('repeats the automatic visibility policy', async () => {
      const channel = await aChannel()
      const first = await sender.call(sendMessage, messageTo(channel), named('key 5'))
      expect(first).toMatchObject({ automatic_new_visibility_policy: 3 })
      expect(await sender.call(sendMessage, messageTo(channel), named('key 5'))).toEqual(first)
    })

    test('is another message under another key, by another user, and without a key', async () => {
      const channel = await aChannel()
      await sender.call(sendMessage, messageTo(channel), named('key 6'))
      await sender.call(sendMessage, messageTo(channel), named('key 7'))
      await other.call(sendMessage, messageTo(channel), named('key 6'))
      await sender.call(sendMessage, messageTo(channel))
      await sender.call(sendMessage, messageTo(channel))
      expect(await contentsOf(channel)).toHaveLength(5)
    })

    test('runs again after a rejection', async () => {
      const name = (await aChannel()).name
      const refused = await sender.send(
        sendMessage,
        { ...messageTo({ name }), to: `${name} x` },
        named('key 8'),
      )
      expect(refused).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
      expect(await sender.send(sendMessage, messageTo({ name }), named('key 8'))).toMatchObject(success())
    })

    test.each([
      ['another text', { content: 'once more' }],
      ['another topic', { topic: 'elsewhere' }],
    ])('with a used key and %s is rejected', async (what, change) => {
      const channel = await aChannel()
      await sender.call(sendMessage, messageTo(channel), named(`key ${what}`))
      const answer = await sender.send(
        sendMessage,
        { ...messageTo(channel), ...change },
        named(`key ${what}`),
      )
      expect(answer).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'This Idempotency-Key was used for another message' }),
      )
      expect(await contentsOf(channel)).toHaveLength(1)
    })

    test('with a key that is too long is rejected', async () => {
      const answer = await sender.send(sendMessage, messageTo(await aChannel()), named('k'.repeat(256)))
      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('with the same queue_id and local_id is another message, and each echoes the ID', async () => {
      const channel = await aChannel()
      const queue = await registerQueue(sender, { event_types: ['message'] })
      const message = { ...messageTo(channel), queue_id: queue.queueId, local_id: '17.01' }
      const tries = Array.from({ length: AT_ONCE }, () => sender.call(sendMessage, message))
      const ids = (await Promise.all(tries)).map(({ id }) => id).sort((a, b) => a - b)

      expect(new Set(ids).size).toBe(AT_ONCE)
      await queue.until(() => queue.events.length >= AT_ONCE)
      expect(queue.events.map((event) => (event['message'] as { id: number }).id)).toEqual(ids)
      expect(queue.events.map(({ local_message_id }) => local_message_id)).toEqual(ids.map(() => '17.01'))
      await queue.stop()
    })

    test('with the same Idempotency-Key, queue_id and local_id returns the first response', async () => {
      const message = { ...messageTo(await aChannel()), queue_id: 'a queue', local_id: '1' }
      const first = await sender.call(sendMessage, message, named('key 10'))
      expect(await sender.call(sendMessage, message, named('key 10'))).toEqual(first)
    })

    test('with the same Idempotency-Key after hours still returns the first response', async () => {
      const channel = await aChannel()
      const first = await sender.call(sendMessage, messageTo(channel), named('key 9'))
      await age(sender, '23 hours')
      expect(await sender.call(sendMessage, messageTo(channel), named('key 9'))).toEqual(first)
    })
  })
}
