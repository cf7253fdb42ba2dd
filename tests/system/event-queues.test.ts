import { type ChannelRecord, domainEvents, Role } from '@tms/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findRedis } from './event-model/struck-redis.ts'
import { leaveEarlierRelease } from './support/earlier-release.ts'
import {
  type EventsHarness,
  type HarnessAnswer,
  MAX_QUEUES_PER_USER,
  READER,
  startEventsHarness,
} from './support/events-harness.ts'
import { metricOf } from './support/observe.ts'
import { testPartitions } from './support/partition-tests.ts'
import { testTakeovers } from './support/takeover-tests.ts'
import { until, untilSteady } from './support/until.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })
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

const register = async (parameters = '', userId?: number): Promise<string> => {
  const query = `event_types=${encodeURIComponent('["message","update_message_flags"]')}${parameters}`
  const { status, body } = await harness.request(0, 'POST', `/register?${query}`, userId)
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
/** What each queue's reader has been told last. */
const lastIds = new Map<string, number>()
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
      lastIds.set(queueId, last)
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

  test('refuses an acknowledgement of what only another queue had, and keeps what it has', async () => {
    const other = await register()
    await harness.message(24)
    const { body } = await poll(other, -1)
    const queueId = await register()
    await harness.message(25)
    await poll(queueId, -1)

    expect(await poll(queueId, body.events?.[0]?.id ?? 0, { extra: '&dont_block=true' })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
    expect(messageIds(await poll(queueId, -1))).toEqual([25])
  })

  test('refuses heartbeats that it can not have told, and keeps what it has', async () => {
    const queueId = await register()
    await harness.message(26)
    const first = (await poll(queueId, -1)).body.events?.[0]?.id ?? 0
    await poll(queueId, first, { extra: '&dont_block=true' })
    // Until something is in the queue beyond the offset, heartbeats have IDs of the offset's upper half.
    const heartbeat = first - (first % 4096) + 2048
    await harness.message(27)
    await untilDelivered(queueId, 0, 27, first)
    const next = (await poll(queueId, first)).body.events?.[0]?.id ?? 0
    const acknowledge = async (last: number) => {
      const { status, body } = await poll(queueId, last, { extra: '&dont_block=true' })
      return { status, code: body['code'], messages: messageIds({ status, body, retryAfter: null }) }
    }
    const refused = { status: 400, code: 'BAD_REQUEST', messages: [] }

    expect(await acknowledge(heartbeat + 1)).toEqual(refused)
    expect(await acknowledge(heartbeat + 4096 * 500_000)).toEqual(refused)
    expect(await acknowledge(next - (next % 4096) + 2048)).toEqual(refused)
    expect(await acknowledge(first)).toEqual({ status: 200, messages: [27] })
    expect(await acknowledge(heartbeat)).toEqual({ status: 200, messages: [27] })
    expect(await acknowledge(heartbeat + 2)).toEqual(refused)
    expect(await acknowledge(heartbeat + 1)).toEqual({ status: 200, messages: [27] })
    expect(await acknowledge(next)).toEqual({ status: 200, messages: [] })
  })

  test('is its owner’s alone', async () => {
    const queueId = await register()

    const { status, body } = await poll(queueId, -1, { userId: 99, extra: '&dont_block=true' })

    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queueId })
  })

  test('is unknown after it was deleted, and its poll ends', async () => {
    const queueId = await register()
    const held = poll(queueId, -1, { replica: 1 })
    await untilHeld(1)

    const { status } = await harness.request(0, 'DELETE', `/events?queue_id=${queueId}`)

    expect(status).toBe(200)
    expect((await held).body).toMatchObject({ result: 'success', events: [] })
    expect((await poll(queueId, -1)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  })
})

/** The reader has read a message. */
const read = (id: number) =>
  harness.publish(domainEvents.messaging.messageFlagsUpdated, {
    user_id: READER,
    op: 'add',
    flag: 'read',
    messages: [id],
    all: false,
  })
/** The messages of events about them: `[id]` of a message, and those that a change of flags names. */
const named = ({ body }: HarnessAnswer) =>
  (body.events ?? []).map(({ message, messages }) => messages ?? message?.id)
/** The answer of a poll in which something comes last; of a queue nobody acknowledges. */
const untilLast = async (queueId: string, id: number): Promise<HarnessAnswer> => {
  const answer = await harness.request(1, 'GET', `/events?queue_id=${queueId}&dont_block=true`)
  return [named(answer).at(-1)].flat().includes(id) ? answer : untilLast(queueId, id)
}
/** Writes a message behind everything and waits, by another queue, until all before it is in the queues. */
const settle = async (id: number) => {
  const mark = await register()
  await harness.message(id)
  await untilLast(mark, id)
}

test('very large messages are told a few at a time, also by a replica that has to fetch them from Redis', async () => {
  const queueId = await register()
  const ids = Array.from({ length: 12 }, (_, index) => 40 + index)
  for (const id of ids) await harness.message(id, { content: 'x'.repeat(1_000_000) })
  await harness.replicas[1]?.kill('SIGTERM')
  await harness.replicas[1]?.start()

  for (const replica of [0, 1]) {
    const first = await poll(queueId, -1, { replica })
    expect(messageIds(first)).toEqual(ids.slice(0, first.body.events?.length))
    expect(first.body.events?.length).toBeLessThan(5)
  }
  expect(await collect(queueId, ids.length)).toEqual(ids)
})

describe('changes of flags that nobody has fetched', () => {
  test('are one event, in their place among all others', async () => {
    const queueId = await register()
    for (const id of [1, 2, 3]) await read(id)
    await harness.message(200)
    for (const id of [4, 5]) await read(id)
    await settle(201)

    const answer = await poll(queueId, -1)

    expect(named(answer)).toEqual([[1, 2, 3], 200, [4, 5], 201])
    const ids = (answer.body.events ?? []).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(named(await poll(queueId, ids[0] ?? 0))).toEqual([200, [4, 5], 201])
  })

  test('stay as they were told until they are acknowledged, whatever comes after them', async () => {
    // Of flags alone, so that a message can tell when they are there.
    const queueId = await register(`&event_types=${encodeURIComponent('["update_message_flags"]')}`)
    await read(1)
    await read(2)
    await settle(210)
    const first = await poll(queueId, -1)
    await read(3)
    await read(4)
    await settle(211)
    const second = await poll(queueId, -1)

    expect(named(first)).toEqual([[1, 2]])
    expect(named(second)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(second.body.events?.slice(0, 1)).toEqual(first.body.events)
    expect((await poll(queueId, -1, { replica: 1 })).body.events).toEqual(second.body.events)
  })

  test('stay single where a held poll may have told them so', async () => {
    const queueId = await register()
    const held = poll(queueId, -1)
    await untilHeld(0)
    await read(1)
    const told = await held
    await read(2)

    const again = await untilLast(queueId, 2)

    expect(named(again)).toEqual([[1], [2]])
    expect(again.body.events?.slice(0, 1)).toEqual(told.body.events)
  })

  test('stay single there, though nothing was seen since by a poll that was held before it', async () => {
    const queueId = await register()
    const ended = poll(queueId, -1)
    await untilHeld(0)
    const held = poll(queueId, -1, { replica: 1 })
    await untilHeld(1)
    expect((await ended).body.events).toEqual([])
    await read(1)
    const told = await held
    await read(2)

    const again = await untilLast(queueId, 2)

    expect(named(again)).toEqual([[1], [2]])
    expect(again.body.events?.slice(0, 1)).toEqual(told.body.events)
  })

  test('are one event after a poll that its client has given up', async () => {
    const queueId = await register()
    const giveUp = new AbortController()
    const held = harness.request(
      0,
      'GET',
      `/events?queue_id=${queueId}&last_event_id=-1`,
      READER,
      giveUp.signal,
    )
    await untilHeld(0)
    giveUp.abort()
    await expect(held).rejects.toThrow()
    await untilNotHeld(0)
    await read(1)
    await read(2)
    await settle(203)

    expect(named(await poll(queueId, -1))).toEqual([[1, 2], 203])
  })
})

describe('a user with too many queues', () => {
  const USER = 99

  test('keeps those that are polled and loses those that were left, the oldest first', async () => {
    const polled = await register('', USER)
    const held = poll(polled, -1, { userId: USER })
    await untilHeld(0)
    const before = await countQueues()
    const left: string[] = []
    for (let i = 0; i < MAX_QUEUES_PER_USER; i++) left.push(await register('', USER))

    await untilCounted(before + MAX_QUEUES_PER_USER - 1)

    const [oldest = '', second = ''] = left
    const look = { userId: USER, extra: '&dont_block=true' }
    expect((await poll(oldest, -1, look)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect(await poll(second, -1, look)).toMatchObject({ status: 200 })
    await harness.message(300)
    expect(messageIds(await held)).toEqual([300])
  })
})

testPartitions(() => harness)
testTakeovers(() => harness)

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

describe('an upgrade', () => {
  test('is told to the queues that were there before it', async () => {
    const { body } = await harness.request(0, 'POST', `/register?event_types=["restart"]`)
    const queueId = body['queue_id'] as string
    const held = poll(queueId, -1)
    await leaveEarlierRelease(harness.servers)
    await harness.replicas[1]?.kill('SIGTERM')

    await harness.replicas[1]?.start()

    const told = (await held).body.events
    const release = Object.keys(body).filter((key) => /_(version|feature_level|merge_base)$/.test(key))
    expect(told).toEqual([
      {
        id: expect.any(Number),
        type: 'restart',
        server_generation: 0,
        ...Object.fromEntries(release.map((key) => [key, body[key]])),
      },
    ])
    expect(release).toHaveLength(6)
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

/** One replica may be connected with Redis again before the other, which the tests that follow ask. */
const untilWell = async (): Promise<void> => {
  for (const replica of [0, 1]) {
    await until(async () => (await harness.request(replica, 'POST', '/register')).status === 200)
  }
}

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
    const { channelCreated, channelVisibilityChanged } = domainEvents.messaging
    const nothing = { gained: [], lost: [], default_channels: null }
    await harness.publish(channelVisibilityChanged, { user_id: READER, role: Role.administrator, ...nothing })
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

  test('a replica that is too busy for seconds to do anything else keeps what it owns', async () => {
    const urls = harness.replicas.map(({ url }) => url)
    const taken = () => Promise.all(urls.map((url) => metricOf(url, 'event_partitions_taken_total')))
    const owned = () => Promise.all(urls.map((url) => metricOf(url, 'event_partitions_owned')))
    await until(async () => (await owned()).every((count) => count > 0))
    // Replicas that have just come back are still moving partitions to where they belong.
    const before = await untilSteady(taken)
    const queueId = await register()

    for (const replica of harness.replicas) await replica.kill('SIGUSR2')
    await harness.message(65)

    expect(await collect(queueId, 1)).toEqual([65])
    expect(await taken()).toEqual(before)
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
    await untilWell()
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
    await untilWell()
  })

  test.each([
    ['is down', 'stop'],
    ['hangs', 'pause'],
  ] as const)('while Redis %s, polls and register are told to try again, and then go on', async (_, how) => {
    const queueId = await register()
    const { redis } = harness.servers
    const pids = [redis, ...redis.nodes].map(({ pid }) => pid).filter((pid) => pid !== null)
    if (how === 'pause' && pids.length === 0) return
    if (how === 'stop') await redis.stop()
    else for (const pid of pids) process.kill(pid, 'SIGSTOP')

    const refused = { status: 503, retryAfter: expect.any(String), body: { code: 'SERVICE_UNAVAILABLE' } }
    expect(await poll(queueId, -1, { extra: '&dont_block=true' })).toMatchObject(refused)
    expect(await harness.request(0, 'POST', '/register')).toMatchObject(refused)
    await harness.message(how === 'stop' ? 75 : 76)

    if (how === 'stop') await redis.start()
    else for (const pid of pids) process.kill(pid, 'SIGCONT')
    expect(await collect(queueId, 1)).toEqual([how === 'stop' ? 75 : 76])
    await untilWell()
  })

  test('the broker may go and come back', async () => {
    const queueId = await register()
    await harness.message(80)
    await harness.servers.rabbitmq.stop()
    const ready = { status: 200, body: { degraded: { rabbitmq: expect.any(String) } } }
    expect(await harness.readiness(0)).toMatchObject(ready)
    await harness.servers.rabbitmq.start()
    await untilPublished(81)

    expect(await collect(queueId, 2)).toEqual([80, 81])
    // Three nodes of a cluster take their time.
  }, 120_000)

  test('a log that is lost ends the queues, and new ones work', async () => {
    // That a log is another is known by its being shorter than what was read.
    for (let id = 100; id < 120; id++) await harness.message(id)
    // The replica may be behind yet, after the broker was away: what is before is in the state then.
    const xmax = (await harness.message(89)) + 1_001
    harness.state.snapshot = `${xmax}:${xmax}:`
    const queueId = await register()
    await harness.message(90)
    expect(await collect(queueId, 1)).toEqual([90])

    await harness.loseLog()

    await untilGone(queueId)
    // This replica may be connecting with the broker yet: another may have ended the queue.
    let fresh = ''
    await until(async () => (fresh = await register().catch(() => '')) !== '')
    await harness.message(91)
    expect(await collect(fresh, 1)).toEqual([91])
  })

  test('a log that was lost and has grown longer than it was, with nobody looking, is known too', async () => {
    const before = (await harness.message(89)) + 1_001
    harness.state.snapshot = `${before}:${before}:`
    const queueId = await register()
    await harness.message(92)
    expect(await collect(queueId, 1)).toEqual([92])
    await Promise.all(harness.replicas.map((replica) => replica.stop()))

    await harness.loseLog()
    // More than tests before have left in the log.
    for (let id = 1_000; id < 1_300; id++) await harness.message(id)
    await Promise.all(harness.replicas.map((replica) => replica.start()))

    await untilGone(queueId)
    const xmax = (await harness.message(93)) + 1_001
    harness.state.snapshot = `${xmax}:${xmax}:`
    const fresh = await register()
    await harness.message(94)
    expect(await collect(fresh, 1)).toEqual([94])
  }, 60_000)
})

/** Resolves when the queue is answered BAD_EVENT_QUEUE_ID. */
const untilGone = (queueId: string): Promise<void> =>
  until(async () => {
    const { status, body } = await poll(queueId, lastIds.get(queueId) ?? -1, { extra: '&dont_block=true' })
    if (status === 400) expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    return status === 400
  })

const untilPublished = (id: number): Promise<void> =>
  until(async () => (await harness.message(id).catch(() => null)) !== null)

const heldAt = (replica: number): Promise<number> =>
  metricOf(harness.replicas[replica]?.url ?? '', 'event_polls_held')
const untilHeld = (replica: number): Promise<void> => until(async () => (await heldAt(replica)) > 0)
const untilNotHeld = (replica: number): Promise<void> => until(async () => (await heldAt(replica)) === 0)

/** The live queues of everyone. */
const countQueues = async (): Promise<number> => {
  const counts = await Promise.all(harness.replicas.map(({ url }) => metricOf(url, 'event_queues_live')))
  return counts.reduce((sum, count) => sum + count, 0)
}

const untilCounted = (count: number): Promise<void> => until(async () => (await countQueues()) === count)

const untilDelivered = (queueId: string, replica: number, messageId: number, last = -1): Promise<void> =>
  until(async () => {
    const answer = await poll(queueId, last, { replica, extra: '&dont_block=true' })
    return messageIds(answer).includes(messageId)
  })
