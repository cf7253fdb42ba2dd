import { type ChannelRecord, domainEvents, Role } from '@tms/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRedisFaults } from './event-model/redis-faults.ts'
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
import { testTakeovers } from './support/superseded-poll-tests.ts'
import { until, untilSteady } from './support/until.ts'

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

/** Polls as a client does, through the replicas in turn, until the given number of messages arrived. */
/** The last delivered event ID of each queue's reader. */
const lastIds = new Map<string, number>()
const collect = async (queueId: string, count: number): Promise<(number | undefined)[]> => {
  const seen: (number | undefined)[] = []
  let last = -1
  const deadline = Date.now() + 30_000
  for (let turn = 0; seen.length < count; turn++) {
    const answer = await poll(queueId, last, { replica: turn % 2 }).catch(() => null)
    if (Date.now() > deadline)
      throw new Error(`only ${JSON.stringify(seen)} arrived; ${JSON.stringify(answer)}`)
    // A temporarily unavailable server is acceptable; an unknown queue is not.
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
  test('returns what happens after it was registered, at any replica', async () => {
    const queueId = await register()

    await harness.message(1)
    await harness.message(2)

    expect(await collect(queueId, 2)).toEqual([1, 2])
  })

  test('returns the same events until they are acknowledged, and then no more', async () => {
    const queueId = await register()
    await harness.message(10)
    const first = await poll(queueId, -1)

    const again = await poll(queueId, -1, { replica: 1 })
    const after = await poll(queueId, first.body.events?.[0]?.id ?? 0, { extra: '&dont_block=true' })

    expect(again.body.events).toEqual(first.body.events)
    expect(after.body.events).toEqual([])
  })

  test('rejects an acknowledgement below the last one, and of an unknown event', async () => {
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

  test('rejects an acknowledgement of an event of another queue, and keeps its events', async () => {
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

  test('rejects the ID of a heartbeat that it cannot have sent, and keeps its events', async () => {
    const queueId = await register()
    await harness.message(26)
    const first = (await poll(queueId, -1)).body.events?.[0]?.id ?? 0
    await poll(queueId, first, { extra: '&dont_block=true' })
    // Until the queue has an event beyond the offset, heartbeats have IDs of the offset's upper half.
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

  test('belongs to one user', async () => {
    const queueId = await register()

    const { status, body } = await poll(queueId, -1, { userId: 99, extra: '&dont_block=true' })

    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queueId })
  })

  test('is unknown after it was deleted, which ends its poll', async () => {
    const queueId = await register()
    const pendingPoll = poll(queueId, -1, { replica: 1 })
    await waitUntilPending(1)

    const { status } = await harness.request(0, 'DELETE', `/events?queue_id=${queueId}`)

    expect(status).toBe(200)
    expect((await pendingPoll).body).toMatchObject({ result: 'success', events: [] })
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
/** The messages of the events: `[id]` for a message, and those that a change of flags names. */
const named = ({ body }: HarnessAnswer) =>
  (body.events ?? []).map(({ message, messages }) => messages ?? message?.id)
/** The response of a poll once the given event is last; of a queue without acknowledgements. */
const untilLast = async (queueId: string, id: number): Promise<HarnessAnswer> => {
  const answer = await harness.request(1, 'GET', `/events?queue_id=${queueId}&dont_block=true`)
  return [named(answer).at(-1)].flat().includes(id) ? answer : untilLast(queueId, id)
}
/** Writes a later message and waits, by another queue, until all earlier ones are in the queues. */
const waitForLater = async (id: number) => {
  const mark = await register()
  await harness.message(id)
  await untilLast(mark, id)
}

test('very large messages are delivered a few at a time, also by a replica that reads them from Redis', async () => {
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

describe('flag changes that were not fetched yet', () => {
  test('are joined into one event, in their position among all others', async () => {
    const queueId = await register()
    for (const id of [1, 2, 3]) await read(id)
    await harness.message(200)
    for (const id of [4, 5]) await read(id)
    await waitForLater(201)

    const answer = await poll(queueId, -1)

    expect(named(answer)).toEqual([[1, 2, 3], 200, [4, 5], 201])
    const ids = (answer.body.events ?? []).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(named(await poll(queueId, ids[0] ?? 0))).toEqual([200, [4, 5], 201])
  })

  test('remain as they were delivered until they are acknowledged, whatever follows', async () => {
    // For flags only, so that a message can show when they have arrived.
    const queueId = await register(`&event_types=${encodeURIComponent('["update_message_flags"]')}`)
    await read(1)
    await read(2)
    await waitForLater(210)
    const first = await poll(queueId, -1)
    await read(3)
    await read(4)
    await waitForLater(211)
    const second = await poll(queueId, -1)

    expect(named(first)).toEqual([[1, 2]])
    expect(named(second)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(second.body.events?.slice(0, 1)).toEqual(first.body.events)
    expect((await poll(queueId, -1, { replica: 1 })).body.events).toEqual(second.body.events)
  })

  test('remain single if a pending poll may have delivered them', async () => {
    const queueId = await register()
    const pendingPoll = poll(queueId, -1)
    await waitUntilPending(0)
    await read(1)
    const delivered = await pendingPoll
    await read(2)

    const again = await untilLast(queueId, 2)

    expect(named(again)).toEqual([[1], [2]])
    expect(again.body.events?.slice(0, 1)).toEqual(delivered.body.events)
  })

  test('remain single there, even if no later poll received them', async () => {
    const queueId = await register()
    const ended = poll(queueId, -1)
    await waitUntilPending(0)
    const pendingPoll = poll(queueId, -1, { replica: 1 })
    await waitUntilPending(1)
    expect((await ended).body.events).toEqual([])
    await read(1)
    const delivered = await pendingPoll
    await read(2)

    const again = await untilLast(queueId, 2)

    expect(named(again)).toEqual([[1], [2]])
    expect(again.body.events?.slice(0, 1)).toEqual(delivered.body.events)
  })

  test('are joined after a poll that its client aborted', async () => {
    const queueId = await register()
    const giveUp = new AbortController()
    const pendingPoll = harness.request(
      0,
      'GET',
      `/events?queue_id=${queueId}&last_event_id=-1`,
      READER,
      giveUp.signal,
    )
    await waitUntilPending(0)
    giveUp.abort()
    await expect(pendingPoll).rejects.toThrow()
    await waitUntilNotPending(0)
    await read(1)
    await read(2)
    await waitForLater(203)

    expect(named(await poll(queueId, -1))).toEqual([[1, 2], 203])
  })
})

describe('a user with too many queues', () => {
  const USER = 99

  test('keeps the queues that are polled and loses the others, oldest first', async () => {
    const polled = await register('', USER)
    const pendingPoll = poll(polled, -1, { userId: USER })
    await waitUntilPending(0)
    const before = await countQueues()
    const left: string[] = []
    for (let i = 0; i < MAX_QUEUES_PER_USER; i++) left.push(await register('', USER))

    await untilCounted(before + MAX_QUEUES_PER_USER - 1)

    const [oldest = '', second = ''] = left
    const pollOptions = { userId: USER, extra: '&dont_block=true' }
    expect((await poll(oldest, -1, pollOptions)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect(await poll(second, -1, pollOptions)).toMatchObject({ status: 200 })
    await harness.message(300)
    expect(messageIds(await pendingPoll)).toEqual([300])
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
  test('delivers a restart event to the existing queues', async () => {
    const { body } = await harness.request(0, 'POST', `/register?event_types=["restart"]`)
    const queueId = body['queue_id'] as string
    const pendingPoll = poll(queueId, -1)
    await leaveEarlierRelease(harness.servers)
    await harness.replicas[1]?.kill('SIGTERM')

    await harness.replicas[1]?.start()

    const delivered = (await pendingPoll).body.events
    const release = Object.keys(body).filter((key) => /_(version|feature_level|merge_base)$/.test(key))
    expect(delivered).toEqual([
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
  test('delivers what the snapshot does not contain, at any offset of the log', async () => {
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

/** One replica may be connected to Redis before the other, which the following tests use. */
const untilWell = async (): Promise<void> => {
  for (const replica of [0, 1]) {
    await until(async () => (await harness.request(replica, 'POST', '/register')).status === 200)
  }
}

describe('when a process or server fails', () => {
  test('the queues of a killed replica continue at the others', async () => {
    const queueId = await register()
    await harness.message(50)
    await harness.replicas[1]?.kill('SIGKILL')
    await harness.message(51)
    await harness.replicas[1]?.start()
    await harness.message(52)

    expect(await collect(queueId, 3)).toEqual([50, 51, 52])
  })

  test('the new role of a queue’s owner survives the replica that received it', async () => {
    const queueId = await register(`&event_types=${encodeURIComponent('["message","stream"]')}`)
    const { channelCreated, channelVisibilityChanged } = domainEvents.messaging
    const nothing = { gained: [], lost: [], default_channel_ids: null }
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

  test('a replica that was paused past its lease changes nothing when it resumes', async () => {
    const queueId = await register()
    await harness.message(60)
    for (const [index, replica] of harness.replicas.entries()) {
      await replica.kill('SIGSTOP')
      await harness.message(61 + 2 * index)
      // The other replica takes over and delivers; then the paused one resumes amid more messages.
      const other = 1 - index
      await untilDelivered(queueId, other, 61 + 2 * index)
      await replica.kill('SIGCONT')
      await harness.message(62 + 2 * index)
    }

    expect(await collect(queueId, 5)).toEqual([60, 61, 62, 63, 64])
  })

  test('a replica that is blocked for seconds keeps its partitions', async () => {
    const urls = harness.replicas.map(({ url }) => url)
    const acquisitions = () =>
      Promise.all(urls.map((url) => metricOf(url, 'event_partitions_acquired_total')))
    const owned = () => Promise.all(urls.map((url) => metricOf(url, 'event_partitions_owned')))
    await until(async () => (await owned()).every((count) => count > 0))
    // Replicas that have just restarted are still moving partitions.
    const before = await untilSteady(acquisitions)
    const queueId = await register()

    for (const replica of harness.replicas) await replica.kill('SIGUSR2')
    await harness.message(65)

    expect(await collect(queueId, 1)).toEqual([65])
    expect(await acquisitions()).toEqual(before)
  })

  test('Redis may lose its last second, which is read again from the log', async () => {
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

  test('events acknowledged in the second that Redis lost are not delivered again', async () => {
    const queueId = await register()
    const redis = await openRedisFaults(harness)
    let last = -1
    await redis.loseWrites(async () => {
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
  ] as const)('while Redis %s, polls and register fail temporarily, and then continue', async (_, how) => {
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

  test('the broker may stop and start', async () => {
    const queueId = await register()
    await harness.message(80)
    await harness.servers.rabbitmq.stop()
    const ready = { status: 200, body: { degraded: { rabbitmq: expect.any(String) } } }
    expect(await harness.readiness(0)).toMatchObject(ready)
    await harness.servers.rabbitmq.start()
    await untilPublished(81)

    expect(await collect(queueId, 2)).toEqual([80, 81])
    // Three nodes of a cluster need some time.
  })

  test('a lost log ends the queues, and new ones work', async () => {
    // A replaced log is detected by being shorter than the last offset.
    for (let id = 100; id < 120; id++) await harness.message(id)
    // The replica may still be behind after the broker was down: then earlier events are in the state.
    const xmax = (await harness.message(89)) + 1_001
    harness.state.snapshot = `${xmax}:${xmax}:`
    const queueId = await register()
    await harness.message(90)
    expect(await collect(queueId, 1)).toEqual([90])

    await harness.loseLog()

    await waitUntilDeleted(queueId)
    // This replica may still be connecting to the broker: another may have ended the queue.
    let fresh = ''
    await until(async () => (fresh = await register().catch(() => '')) !== '')
    await harness.message(91)
    expect(await collect(fresh, 1)).toEqual([91])
  })

  test('a lost log is detected even if the new one has grown longer unobserved', async () => {
    const before = (await harness.message(89)) + 1_001
    harness.state.snapshot = `${before}:${before}:`
    const queueId = await register()
    await harness.message(92)
    expect(await collect(queueId, 1)).toEqual([92])
    await Promise.all(harness.replicas.map((replica) => replica.stop()))

    await harness.loseLog()
    // More than earlier tests have left in the log.
    for (let id = 1_000; id < 1_300; id++) await harness.message(id)
    await Promise.all(harness.replicas.map((replica) => replica.start()))

    await waitUntilDeleted(queueId)
    const xmax = (await harness.message(93)) + 1_001
    harness.state.snapshot = `${xmax}:${xmax}:`
    const fresh = await register()
    await harness.message(94)
    expect(await collect(fresh, 1)).toEqual([94])
  })
})

/** Resolves when the queue is answered with BAD_EVENT_QUEUE_ID. */
const waitUntilDeleted = (queueId: string): Promise<void> =>
  until(async () => {
    const { status, body } = await poll(queueId, lastIds.get(queueId) ?? -1, { extra: '&dont_block=true' })
    if (status === 400) expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    return status === 400
  })

const untilPublished = (id: number): Promise<void> =>
  until(async () => (await harness.message(id).catch(() => null)) !== null)

const polledAt = (replica: number): Promise<number> =>
  metricOf(harness.replicas[replica]?.url ?? '', 'event_pending_polls')
const waitUntilPending = (replica: number): Promise<void> => until(async () => (await polledAt(replica)) > 0)
const waitUntilNotPending = (replica: number): Promise<void> =>
  until(async () => (await polledAt(replica)) === 0)

/** The live queues of all users. */
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
