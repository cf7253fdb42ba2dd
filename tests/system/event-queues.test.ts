import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { type ChannelRecord, domainEvents, Role } from '@tms/contracts'
import { findRedis } from './event-model/struck-redis.ts'
import {
  type EventsHarness,
  type HarnessAnswer,
  READER,
  startEventsHarness,
} from './support/events-harness.ts'

jest.setTimeout(30_000)
let harness: EventsHarness
beforeAll(async () => {
  harness = await startEventsHarness(2)
}, 180_000)
afterAll(() => harness.stop(), 60_000)
beforeEach(() => {
  harness.state.snapshot = '1:1:'
  harness.state.channelIds = [1]
  delete harness.state.before
})

const register = async (parameters = ''): Promise<string> => {
  const query = `event_types=${encodeURIComponent('["message"]')}${parameters}`
  const { status, body } = await harness.request(0, 'POST', `/register?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body['queue_id'] as string
}
const poll = (
  queueId: string,
  last: number,
  { replica = 0, extra = '', userId = undefined as number | undefined } = {},
) => harness.request(replica, 'GET', `/events?queue_id=${queueId}&last_event_id=${last}${extra}`, userId)
const messageIds = ({ body }: HarnessAnswer): (number | undefined)[] =>
  (body.events ?? []).map((event) => event.message?.id)

/** Polls as a client does, through the replicas in turn, until so many messages came. */
const collect = async (queueId: string, count: number): Promise<(number | undefined)[]> => {
  const seen: (number | undefined)[] = []
  let last = -1
  const deadline = Date.now() + 30_000
  for (let turn = 0; seen.length < count; turn++) {
    const answer = await poll(queueId, last, { replica: turn % 2 }).catch(() => null)
    if (Date.now() > deadline) throw new Error(`only ${JSON.stringify(seen)} came; ${JSON.stringify(answer)}`)
    // A server that is away for a moment is no loss; a queue that is unknown is.
    if (answer?.status === 400) throw new Error(JSON.stringify(answer.body))
    if (answer?.status !== 200) continue
    for (const event of answer.body.events ?? []) {
      last = event.id
      if (event.type === 'message') seen.push(event.message?.id)
    }
  }
  return seen
}

describe('a queue', () => {
  test('gives what happens after it was registered, at any replica', async () => {
    const queueId = await register()

    await harness.message(1)
    await harness.message(2)

    expect(await collect(queueId, 2)).toEqual([1, 2])
  })

  test('gives the same again until it is acknowledged, and then no more', async () => {
    const queueId = await register()
    await harness.message(10)
    const first = await poll(queueId, -1)

    const again = await poll(queueId, -1, { replica: 1 })
    const after = await poll(queueId, first.body.events?.[0]?.id ?? 0, { extra: '&dont_block=true' })

    expect(again.body.events).toEqual(first.body.events)
    expect(after.body.events).toEqual([])
  })

  test('refuses an acknowledgement below the last, and one that never was', async () => {
    const queueId = await register()
    await harness.message(20)
    const { body } = await poll(queueId, -1)
    const last = body.events?.[0]?.id ?? 0
    await poll(queueId, last, { extra: '&dont_block=true' })

    expect(await poll(queueId, last - 1, { extra: '&dont_block=true' })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
    expect(await poll(queueId, last + 1_000_000, { extra: '&dont_block=true' })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
  })

  test('is its owner’s alone', async () => {
    const queueId = await register()

    const { status, body } = await poll(queueId, -1, { userId: 99, extra: '&dont_block=true' })

    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queueId })
  })

  test('answers the older of two polls at once, and the newer when something comes', async () => {
    const queueId = await register()
    const older = poll(queueId, -1, { replica: 0 })
    // The older one is attached once the newer one can find it.
    await untilHeld(0)
    const newer = poll(queueId, -1, { replica: 1 })

    expect((await older).body.events).toEqual([])
    await harness.message(30)
    expect(messageIds(await newer)).toEqual([30])
  })

  test('is unknown after it was deleted, and its poll ends', async () => {
    const queueId = await register()
    const held = poll(queueId, -1, { replica: 1 })
    await untilHeld(1)

    const { status } = await harness.request(0, 'DELETE', `/events?queue_id=${queueId}`)

    expect(status).toBe(200)
    expect((await held).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect((await poll(queueId, -1)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  })
})

describe('the log', () => {
  test('may repeat entries and lose some for a while: each is delivered once, in order', async () => {
    const queueId = await register()
    const first = await harness.message(40)

    await harness.message(40, { seq: first })
    await harness.message(42, { seq: first + 2 })
    await harness.message(41, { seq: first + 1 })
    await harness.message(42, { seq: first + 2 })
    await harness.message(41, { seq: first + 1 })
    await harness.message(43, { seq: first + 3 })

    expect(await collect(queueId, 4)).toEqual([40, 41, 42, 43])
  })
})

describe('the register hand-off', () => {
  test('delivers what the snapshot does not show, wherever in the log it stands', async () => {
    // Transactions 100 and 102 are in the state; 101 was running when it was read, 103 began later.
    harness.state.snapshot = '101:103:101'
    harness.state.before = async () => {
      await harness.message(100, { xid: 100 })
      await harness.message(101, { xid: 101 })
    }
    const queueId = await register()
    await harness.message(102, { xid: 102 })
    await harness.message(103, { xid: 103 })

    expect(await collect(queueId, 2)).toEqual([101, 103])
  })
})

describe('when something dies', () => {
  test('a killed replica’s queues go on at the others', async () => {
    const queueId = await register()
    await harness.message(50)
    await harness.replicas[1]?.kill('SIGKILL')
    await harness.message(51)
    await harness.replicas[1]?.start()
    await harness.message(52)

    expect(await collect(queueId, 3)).toEqual([50, 51, 52])
  })

  test('another role of a queue’s owner outlives the replica that learnt of it', async () => {
    const queueId = await register(`&event_types=${encodeURIComponent('["message","stream"]')}`)
    const { channelCreated, sightChanged } = domainEvents.messaging
    const nothing = { gained: [], lost: [], default_channels: null }
    await harness.publish(sightChanged, { user_id: READER, role: Role.administrator, ...nothing })
    await harness.message(55)
    await untilDelivered(queueId, 0, 55)
    for (const replica of harness.replicas) {
      await replica.kill('SIGKILL')
      await replica.start()
    }

    const secret = { stream_id: 9, name: 'secret', invite_only: true, is_web_public: false }
    await harness.publish(channelCreated, { channel: secret as ChannelRecord })
    await harness.message(56)
    await untilDelivered(queueId, 0, 56)

    const { body } = await poll(queueId, -1, { extra: '&dont_block=true' })
    expect(body.events?.map(({ type }) => type)).toEqual(['message', 'stream', 'message'])
  })

  test('a replica that was paused past its lease changes nothing when it wakes up', async () => {
    const queueId = await register()
    await harness.message(60)
    for (const [index, replica] of harness.replicas.entries()) {
      await replica.kill('SIGSTOP')
      await harness.message(61 + 2 * index)
      // The other replica takes over and delivers; then the paused one wakes up amid more.
      const other = 1 - index
      await untilDelivered(queueId, other, 61 + 2 * index)
      await replica.kill('SIGCONT')
      await harness.message(62 + 2 * index)
    }

    expect(await collect(queueId, 5)).toEqual([60, 61, 62, 63, 64])
  })

  test('Redis may lose its last second: it is read again from the log', async () => {
    const queueId = await register()
    await harness.message(70)
    await harness.message(71)
    await harness.servers.redis.kill()
    await harness.message(72)
    await harness.servers.redis.start()
    await harness.message(73)

    expect(await collect(queueId, 4)).toEqual([70, 71, 72, 73])
  })

  test('what was acknowledged in the second that Redis lost is not told again', async () => {
    const queueId = await register()
    const redis = await findRedis(harness)
    let last = -1
    await redis.forget(async () => {
      await harness.message(77)
      last = (await poll(queueId, -1)).body.events?.[0]?.id ?? last
      await poll(queueId, last, { extra: '&dont_block=true' })
    })
    await redis.close()
    await harness.message(78)

    await untilDelivered(queueId, 0, 78, last)
    expect(messageIds(await poll(queueId, last, { extra: '&dont_block=true' }))).toEqual([78])
  })

  test.each([
    ['is down', 'stop'],
    ['hangs', 'pause'],
  ] as const)('while Redis %s, polls and register are told to try again, and then go on', async (_, how) => {
    const queueId = await register()
    const redisPid = harness.servers.redis.pid
    if (how === 'pause' && redisPid === null) return
    if (how === 'stop') await harness.servers.redis.stop()
    else process.kill(redisPid ?? 0, 'SIGSTOP')

    const refused = { status: 503, retryAfter: expect.any(String), body: { code: 'SERVICE_UNAVAILABLE' } }
    expect(await poll(queueId, -1, { extra: '&dont_block=true' })).toMatchObject(refused)
    expect(await harness.request(0, 'POST', '/register')).toMatchObject(refused)
    await harness.message(how === 'stop' ? 75 : 76)

    if (how === 'stop') await harness.servers.redis.start()
    else process.kill(redisPid ?? 0, 'SIGCONT')
    expect(await collect(queueId, 1)).toEqual([how === 'stop' ? 75 : 76])
  })

  test('the broker may go and come back', async () => {
    const queueId = await register()
    await harness.message(80)
    await harness.servers.rabbitmq.stop()
    await harness.servers.rabbitmq.start()
    await untilPublished(81)

    expect(await collect(queueId, 2)).toEqual([80, 81])
  }, 60_000)

  test('a log that is lost ends the queues, and new ones work', async () => {
    const queueId = await register()
    await harness.message(90)
    expect(await collect(queueId, 1)).toEqual([90])

    await harness.loseLog()

    await untilGone(queueId)
    const fresh = await register()
    await harness.message(91)
    expect(await collect(fresh, 1)).toEqual([91])
  })
})

/** Resolves when the queue is answered BAD_EVENT_QUEUE_ID. */
const untilGone = async (queueId: string): Promise<void> => {
  const { status, body } = await poll(queueId, -1, { extra: '&dont_block=true' })
  if (status !== 400) return untilGone(queueId)
  expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
}

const untilPublished = async (id: number): Promise<void> => {
  while ((await harness.message(id).catch(() => null)) === null) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const untilHeld = async (replica: number): Promise<void> => {
  const text = await (await fetch(`${harness.replicas[replica]?.url}/metrics`)).text()
  if (!/event_polls_held\{[^}]*\} [1-9]/.test(text)) return untilHeld(replica)
}

const untilDelivered = async (
  queueId: string,
  replica: number,
  messageId: number,
  last = -1,
): Promise<void> => {
  const answer = await poll(queueId, last, { replica, extra: '&dont_block=true' })
  if (!messageIds(answer).includes(messageId)) return untilDelivered(queueId, replica, messageId, last)
}
