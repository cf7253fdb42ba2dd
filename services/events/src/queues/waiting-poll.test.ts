import { beforeEach, expect, test } from 'vitest'
import type { PollAnswer, PollOptions } from '../redis/partition-store.ts'
import type { RenderedQueue } from '../rendering/presentation.ts'
import { JOIN_NOTHING } from './coalesce.ts'
import type { Context } from './context.ts'
import { PendingPolls, type WakeReason } from './pending-polls.ts'
import { type Poller, startPoll } from './waiting-poll.ts'

const QUEUE = 'b4c1'
let polls: PendingPolls
let reads: PollOptions[]
/** Answers of the store to the next reads; without one, the queue is empty. */
let found: (number[] | Error)[]
/** Happens during the next read. */
let duringRead: () => void
let cleared: number[]
let answers: (readonly string[])[]
let isAnswerLost: boolean
let failures: unknown[]
let now: number
let disconnect: () => void

beforeEach(() => {
  polls = new PendingPolls()
  reads = []
  found = []
  duringRead = () => {}
  cleared = []
  answers = []
  isAnswerLost = false
  failures = []
  now = 0
})

async function poll(options: { dontBlock?: boolean; lastEventId?: number } = {}): Promise<void> {
  const store = {
    poll: async (_: number, read: PollOptions): Promise<PollAnswer> => {
      reads.push(read)
      await Promise.resolve()
      const during = duringRead
      duringRead = () => {}
      during()
      const eventIds = found.shift() ?? []
      if (eventIds instanceof Error) throw eventIds
      return { status: 'ok', offset: 9, number: 5, record: null, boundaries: JOIN_NOTHING, eventIds }
    },
    clearPendingPoll: async (_: number, __: string, number: number) => cleared.push(number),
    connectedAt: () => 0,
  }
  const context = {
    ...{ store, replicaId: 'here', now: () => now, partitionOf: () => 0, logTail: { end: () => 9 } },
    isLostCommitPossible: () => false,
    renderedQueues: new Map([[QUEUE, {} as RenderedQueue]]),
    pollRegistry: { register: polls.add.bind(polls) },
    events: {
      render: async (_: number, __: RenderedQueue, eventIds: readonly number[]) => ({
        ...{ texts: eventIds.map((id) => `${id}`), eventIds, requestIds: [], oldestAt: null },
      }),
    },
  } as unknown as Context
  const listeners: (() => void)[] = []
  disconnect = () => {
    for (const listener of listeners) listener()
  }
  const poller: Poller = {
    ...{ context, requestId: 'r', caller: { userId: 7, realmId: 2, role: 400, isBot: false } },
    log: { info: () => {} } as unknown as Poller['log'],
    onClosed: (listener) => void listeners.push(listener),
  }
  const params = { queueId: QUEUE, lastEventId: options.lastEventId, dontBlock: options.dontBlock ?? false }
  startPoll(poller, params, {
    onAnswered: (texts) => {
      if (isAnswerLost) throw new Error('the answer is lost')
      answers.push(texts)
    },
    onFailed: (err) => failures.push(err),
  })
  await settle()
}
const settle = () => new Promise((resolve) => setImmediate(resolve))
const wake = async (reason: WakeReason) => {
  polls.findPending(QUEUE)?.wake(reason)
  await settle()
}

test('a poll of a queue with events is answered with them', async () => {
  found = [[3, 4]]
  await poll()

  expect([answers, polls.count]).toEqual([[['3', '4']], 0])
})

test('a poll waits for a commit, and is answered with its events alone, once', async () => {
  await poll({ lastEventId: 3 })
  expect([answers, polls.count]).toEqual([[], 1])
  await wake({ kind: 'events', eventIds: [3, 4] })
  await wake({ kind: 'events', eventIds: [5] })

  expect([answers, polls.count, reads.length]).toEqual([[['4']], 0, 1])
})

test.each(['at once', 'woken'])('a poll whose answer cannot be written has failed: %s', async (when) => {
  isAnswerLost = true
  if (when === 'at once') found = [[3]]
  await poll()
  await wake({ kind: 'events', eventIds: [4] })

  expect([failures, polls.count]).toEqual([[new Error('the answer is lost')], 0])
})

test('a poll that is woken while it reads, reads again as the same poll', async () => {
  duringRead = () => {
    for (const reading of polls.listReading(QUEUE)) reading.wake({ kind: 'read' })
  }
  found = [[], [4]]
  await poll()

  expect(answers).toEqual([['4']])
  expect(reads.map(({ pendingNumber }) => pendingNumber)).toEqual([null, 5])
})

test.each(['while it reads', 'while it waits'])('a client that leaves %s is forgotten', async (when) => {
  if (when === 'while it reads') duringRead = () => disconnect()
  await poll()
  disconnect()
  await settle()

  expect([answers, cleared, polls.count]).toEqual([[[]], [5], 0])
})

test('of two polls of a queue the older one ends, without touching the record of the newer one', async () => {
  await poll()
  await poll()

  expect([answers, cleared, polls.count]).toEqual([[[]], [], 1])
})

test('a poll that another replica has superseded removes its record', async () => {
  await poll()
  polls.findPending(QUEUE)?.noteNewer(6)
  await settle()

  expect([answers, cleared, polls.count]).toEqual([[[]], [5], 0])
})

test('a poll that has to end is answered with what the queue has', async () => {
  found = [[], [4]]
  await poll()
  await wake({ kind: 'end' })

  expect([answers, polls.count]).toEqual([[['4']], 0])
  expect(reads.at(-1)?.replicaId).toBe('')
})

test('a poll gets a heartbeat once its deadline has passed, or if it does not wait, nothing', async () => {
  await poll({ dontBlock: true })
  await poll()
  now = 1e9
  await wake({ kind: 'read' })

  expect(answers).toEqual([[], [expect.stringContaining('"type":"heartbeat"')]])
})

test('a poll whose read fails, fails', async () => {
  const failure = new Error('Redis is unavailable')
  found = [failure]
  await poll()

  expect([failures, answers, polls.count]).toEqual([[failure], [], 0])
})
