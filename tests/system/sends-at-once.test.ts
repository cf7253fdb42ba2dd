import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from './support/answers.ts'
import { newGroup } from './support/groups.ts'
import { messagesOf, metricOf } from './support/observe.ts'
import { holdChannelLock, holdIdempotencyKey } from './support/row-locks.ts'
import { startSending } from './support/start-sending.ts'
import { until } from './support/until.ts'
import { createChannel, newUsers } from './support/users-and-channels.ts'

const { archiveChannel, sendMessage, subscribe } = endpoints.messaging
const SENDERS = 5
const CHANNELS = 20
const AT_ONCE = 200
/** More than may wait for locks at once. */
const LOCKED = 20

interface Channel {
  readonly name: string
  readonly id: number
}

let product: TestSystem
let senders: ApiClient[]
let listener: ApiClient
let channels: Channel[]
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, replicas: { messaging: 2 } })
  listener = await product.createUser()
  senders = await newUsers(product, SENDERS)
  channels = []
  for (let i = 0; i < CHANNELS; i++) channels.push(await aChannel())
}, 180_000)
afterAll(() => product.stop(), 60_000)

const aChannel = () => createChannel(listener, { others: senders })
/** How many messages both replicas stored, or by how many statements. */
const groupSizes = async (what: string) => {
  const { messaging } = product.system.urls
  const figures = await Promise.all(messaging.map((url) => metricOf(url, `message_group_size_${what}`)))
  return figures.reduce((total, figure) => total + figure, 0)
}
const senderOf = (index: number) => senders[index % SENDERS] as ApiClient
const channelOf = (index: number) => channels[index % CHANNELS] as Channel
const messageTo = ({ name }: Channel, content: string) =>
  ({ type: 'channel', to: name, topic: 'at once', content }) as const

/** Sends this many messages at once, named after the label, to the channels in turn. */
const sendMany = (label: string, count: number, more: { read_by_sender?: boolean } = {}) =>
  Array.from({ length: count }, async (_, index) => {
    const content = `${label} ${index}`
    const message = { ...messageTo(channelOf(index), content), ...more }
    const { id } = await senderOf(index).call(sendMessage, message)
    return { id, content, channel: channelOf(index).name }
  })

/** The messages of a channel as they were written. */
const textsOf = async (channel: string) =>
  (await messagesOf(listener, channel)).map(({ id, content }) => ({
    id,
    content: content.replace(/^<p>|<\/p>$/g, ''),
  }))

/** The messages of a label, as the server has them, by ID. */
const storedOf = async (label: string) => {
  const stored = await Promise.all(
    channels.map(async ({ name }) => (await textsOf(name)).map((message) => ({ ...message, channel: name }))),
  )
  return stored.flat().filter(({ content }) => content.startsWith(`${label} `))
}
const byId = <T extends { readonly id: number }>(messages: readonly T[]) =>
  [...messages].sort((one, other) => one.id - other.id)

describe('messages that are sent at once', () => {
  test('are stored once each, and delivered in the order of their IDs in each channel', async () => {
    const queue = await registerQueue(listener, { event_types: ['message'], apply_markdown: false })
    queue.follow()

    const sent = byId(await Promise.all(sendMany('many', AT_ONCE)))

    expect(byId(await storedOf('many'))).toEqual(sent)
    const [messages = 0, statements = 0] = await Promise.all(['sum', 'count'].map(groupSizes))
    expect(messages).toBeGreaterThan(statements)
    await queue.until(() => queue.events.length >= AT_ONCE)
    const delivered = queue.events.map(({ message }) => {
      const { id, content, display_recipient } = message as {
        id: number
        content: string
        display_recipient: string
      }
      return { id, content, channel: display_recipient }
    })
    for (const { name } of channels) {
      const ofChannel = ({ channel }: { channel: string }) => channel === name
      expect(delivered.filter(ofChannel)).toEqual(sent.filter(ofChannel))
    }
    expect(delivered).toHaveLength(AT_ONCE)
    await queue.stop()
  })

  test('are read by senders who say so, and unread for the others', async () => {
    const [one, other] = senders as [ApiClient, ApiClient]
    const sent = await Promise.all(sendMany('read', 40, { read_by_sender: true }))
    const own = (index: number) => senderOf(index) === one

    const { messages } = await one.call(endpoints.messaging.getMessages, {
      message_ids: sent.map(({ id }) => id),
    })
    const flags = new Map(messages.map((message) => [message.id, message.flags]))
    expect(sent.map(({ id }) => flags.get(id)?.includes('read'))).toEqual(sent.map((_, index) => own(index)))

    const direct = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        one.call(sendMessage, {
          ...{ type: 'direct', to: [other.userId], content: `direct ${index}` },
          read_by_sender: true,
        }),
      ),
    )
    const readBy = async (user: ApiClient) => {
      const got = await user.call(endpoints.messaging.getMessages, {
        message_ids: direct.map(({ id }) => id),
      })
      return got.messages.map((message) => message.flags.includes('read'))
    }
    expect(await readBy(one)).toEqual(direct.map(() => true))
    expect(await readBy(other)).toEqual(direct.map(() => false))
  })

  test('mention the users that they name, and nobody else', async () => {
    const [mentioned, other, third] = [listener, ...senders] as [ApiClient, ApiClient, ApiClient]
    const [before = 0, statementsBefore = 0] = await Promise.all(['sum', 'count'].map(groupSizes))
    const ids = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const names = `@**|${(index % 2 === 0 ? mentioned : third).userId}** `
        const { id } = await senderOf(index).call(
          sendMessage,
          messageTo(channelOf(index % 4), `${names}hello`),
        )
        return id
      }),
    )
    const [after = 0, statementsAfter = 0] = await Promise.all(['sum', 'count'].map(groupSizes))

    const mentionsOf = async (user: ApiClient) => {
      const { messages } = await user.call(endpoints.messaging.getMessages, { message_ids: ids })
      const flags = new Map(messages.map((message) => [message.id, message.flags]))
      return ids.map((id) => flags.get(id)?.includes('mentioned'))
    }
    expect(await mentionsOf(mentioned)).toEqual(ids.map((_, index) => index % 2 === 0))
    expect(await mentionsOf(other)).toEqual(ids.map(() => false))
    // Those of a group that is rolled back count twice. How many are in a group depends on how fast they arrive.
    expect(after - before).toBeGreaterThanOrEqual(AT_ONCE)
    expect(statementsAfter - statementsBefore).toBeLessThan((AT_ONCE * 3) / 4)
  })

  test('mention a user who joins the channel while they wait', async () => {
    const channel = await aChannel()
    const late = await product.createUser()
    const [sender] = senders as [ApiClient]
    // So that the sender follows the topic already: it doesn't take a transaction.
    await sender.call(sendMessage, messageTo(channel, 'first'))
    const lock = await holdChannelLock(product, channel.id)
    const joining = late.call(subscribe, { subscriptions: [{ name: channel.name }] })
    await lock.waitForWaiters(1)
    const sending = sender.call(sendMessage, messageTo(channel, `welcome @**|${late.userId}**`))
    await lock.waitForWaiters(2)

    await lock.release()
    await joining

    const { id } = await sending
    const { messages } = await late.call(endpoints.messaging.getMessages, { message_ids: [id] })
    expect(messages.map(({ flags }) => flags)).toEqual([['mentioned']])
  })

  test.each([
    { by: 'one statement', isStarted: true },
    { by: 'a transaction', isStarted: false },
  ])(
    'mention a member of a group who joins the channel while they wait, stored by $by',
    async ({ isStarted }) => {
      const channel = await aChannel()
      const late = await product.createUser()
      const group = await newGroup(product.owner, [late])
      const [sender] = senders as [ApiClient]
      // Who writes to a topic for the first time follows it, which takes a transaction.
      if (isStarted) await sender.call(sendMessage, messageTo(channel, 'first'))
      const lock = await holdChannelLock(product, channel.id)
      const joining = late.call(subscribe, { subscriptions: [{ name: channel.name }] })
      await lock.waitForWaiters(1)
      const sending = sender.call(sendMessage, messageTo(channel, `welcome @*${group.name}*`))
      await lock.waitForWaiters(2)

      await lock.release()
      await joining

      const { id } = await sending
      const { messages } = await late.call(endpoints.messaging.getMessages, { message_ids: [id] })
      expect(messages.map(({ flags }) => flags)).toEqual([['mentioned']])
    },
  )

  test('with one Idempotency-Key are one message, and those beside them are stored', async () => {
    const channel = channelOf(0)
    const message = messageTo(channel, 'repeated one')
    const repeated = Array.from({ length: 20 }, () =>
      senderOf(0).call(sendMessage, message, { headers: { 'idempotency-key': 'once' } }),
    )
    const beside = sendMany('beside', 60)

    const ids = new Set((await Promise.all(repeated)).map(({ id }) => id))
    const sent = byId(await Promise.all(beside))

    expect(byId(await storedOf('beside'))).toEqual(sent)
    expect((await storedOf('repeated')).map(({ id }) => id)).toEqual([...ids])
  })

  test('don’t wait for keys that other transactions store', async () => {
    const elsewhere = await Promise.all(senders.map(aChannel))
    const keys = await Promise.all(senders.map(({ userId }) => holdIdempotencyKey(product, userId, 'held')))
    const waiting = senders.map((sender, index) =>
      sender.call(sendMessage, messageTo(elsewhere[index] as Channel, 'with the key'), {
        headers: { 'idempotency-key': 'held' },
      }),
    )

    const rounds: number[] = []
    for (let round = 0; round < 3; round++)
      rounds.push((await Promise.all(sendMany(`past the key ${round}`, 60))).length)

    expect(rounds).toEqual([60, 60, 60])
    await Promise.all(keys.map((key) => key.release()))
    const ids = (await Promise.all(waiting)).map(({ id }) => id)
    const stored = await Promise.all(elsewhere.map(({ name }) => textsOf(name)))
    expect(
      stored
        .flat()
        .filter(({ content }) => content === 'with the key')
        .map(({ id }) => id),
    ).toEqual(ids)
  })

  test('wait for a locked channel only if they go there', async () => {
    const locked = await aChannel()
    const lock = await holdChannelLock(product, locked.id)
    // Every third one is a poll, and so needs a transaction.
    const waiting = Array.from({ length: 40 }, (_, index) =>
      senderOf(index).call(
        sendMessage,
        messageTo(locked, `${index % 3 === 0 ? '/poll ' : ''}locked ${index}`),
      ),
    )
    // One at each replica, however many messages wait.
    await lock.waitForWaiters(2)

    // Also when they come again and again
    for (let round = 0; round < 5; round++) await Promise.all(sendMany(`passing ${round}`, 40))

    await lock.release()
    const ids = (await Promise.all(waiting)).map(({ id }) => id)
    const stored = (await textsOf(locked.name)).filter(({ content }) => content.includes('locked '))
    expect(stored.map(({ id }) => id)).toEqual([...ids].sort((a, b) => a - b))
    expect(new Set(stored.map(({ content }) => content)).size).toBe(40)
  })

  test.each(['', '/poll '])(
    'pass more locked channels than may wait for their locks at once %s',
    async (command) => {
      const locked: Channel[] = []
      for (let i = 0; i < LOCKED; i++) locked.push(await aChannel())
      const locks = await Promise.all(locked.map(({ id }) => holdChannelLock(product, id)))
      const waiting = locked.map((channel, index) =>
        senderOf(index).call(sendMessage, messageTo(channel, `${command}locked too`)),
      )

      // Also those that have a transaction of their own
      await Promise.all([...sendMany('crowd', 100), ...sendMany('/poll crowd', 20)])

      await Promise.all(locks.map((lock) => lock.release()))
      expect(await Promise.all(waiting)).toHaveLength(LOCKED)
    },
  )

  test('are refused alone by a channel that is archived meanwhile', async () => {
    const closing = await aChannel()
    const lock = await holdChannelLock(product, closing.id)
    const archiving = product.owner.call(archiveChannel, { stream_id: closing.id })
    await lock.waitForWaiters(1)
    const late = [0, 1, 2].map((index) => senderOf(index).send(sendMessage, messageTo(closing, 'late')))
    const beside = sendMany('open', 40)

    const sent = byId(await Promise.all(beside))
    await lock.release()
    await archiving

    for (const answer of await Promise.all(late))
      expect(answer).toMatchObject(refusal('STREAM_DOES_NOT_EXIST'))
    expect(byId(await storedOf('open'))).toEqual(sent)
  })

  test('are neither lost nor stored twice when messaging is killed', async () => {
    const [one, other] = [await aChannel(), await aChannel()]
    const sendings = Array.from({ length: 20 }, (_, index) =>
      startSending(senderOf(index), (index % 2 === 0 ? one : other).name, `killed ${index}`, 0),
    )
    const total = () => sendings.reduce((sum, { sent }) => sum + sent, 0)
    for (let turn = 0; turn < 4; turn++) {
      const before = total()
      await until(async () => total() > before + 150)
      const replica = product.system.replica('messaging', turn % 2)
      await replica.kill('SIGKILL')
      await replica.start()
    }
    await Promise.all(sendings.map((sending) => sending.stop()))

    const stored = [...(await textsOf(one.name)), ...(await textsOf(other.name))]
    const ids = new Set(stored.map(({ id }) => id))
    expect(sendings.flatMap(({ accepted }) => accepted.filter((id) => !ids.has(id)))).toEqual([])
    const texts = stored.map(({ content }) => content).filter((text) => text.startsWith('killed '))
    expect(texts).toHaveLength(total())
    expect(new Set(texts).size).toBe(texts.length)
  }, 180_000)
})
