import { domainEvents, type LogEntry, type QueueRecord, Role } from '@tms/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventIdOf, positionOf } from '../kernel/event-id.ts'
import { createQueueState } from '../kernel/queue-state.ts'
import type { LogRecord } from '../log/entry.ts'
import { applyLogRecord, type HandoffRange, handoffRangeOf } from './apply.ts'
import { type ApplyContext, createChanges } from './changes.ts'
import { QueueIndex } from './queue-index.ts'

const READER = 7
const CHANNEL = 3
const { messageSent, subscribersAdded, subscribersRemoved } = domainEvents.messaging

const aQueue = (changes: Partial<QueueRecord> = {}): QueueRecord => ({
  queue_id: 'q',
  realm_id: 1,
  user_id: READER,
  role: Role.member,
  channel_role: Role.member,
  event_types: null,
  narrow: [],
  all_public_streams: false,
  apply_markdown: true,
  client_gravatar: true,
  slim_presence: false,
  include_subscribers: false,
  client_capabilities: {} as QueueRecord['client_capabilities'],
  lifespan_seconds: 600,
  channel_ids: [CHANNEL],
  guest_visibility: null,
  snapshots: {},
  ...changes,
})

const aRecord = (offset: number, event: string, payload: unknown, xid = offset): LogRecord => {
  const source = event.split('.')[0] as LogEntry['source']
  const entry = {
    stream: 's',
    source,
    seq: offset + 1,
    xid,
    at: 0,
    event,
    realm_id: 1,
    request_id: null,
    payload,
  }
  return { offset, entry, body: `entry ${offset}`, positions: {}, cache: new Map() }
}

const message = (changes: object = {}) => ({
  message: { stream_id: CHANNEL, type: 'stream', display_recipient: 'general', subject: 't' },
  recipient_user_ids: null,
  is_public_channel: true,
  flags_by_user: {},
  flags_of_all: [],
  ...changes,
})
const channel = {
  stream_id: CHANNEL,
  name: 'general',
  is_archived: false,
  invite_only: false,
  is_web_public: false,
}
const added = { channel, added: [{ user_id: READER, settings: {} }], subscribers: [READER] }
const removed = { channel, user_ids: [READER], archived: null }

const aContext = (...queues: QueueRecord[]): ApplyContext => {
  const context = { queues: new QueueIndex(), changes: createChanges(), isOurs: () => true }
  for (const queue of queues) context.queues.add(createQueueState(queue))
  return context
}
const deliveredOffsets = ({ changes }: ApplyContext, queueId = 'q') =>
  (changes.deliveries.get(queueId) ?? []).map((id) => positionOf(id).offset)

describe('applying a message', () => {
  test('delivers to subscribers, and stores the payload once for all of them', () => {
    const context = aContext(aQueue(), aQueue({ queue_id: 'r', user_id: 8 }))

    applyLogRecord(aRecord(5, messageSent.name, message()), context)

    expect(deliveredOffsets(context)).toEqual([5])
    expect(deliveredOffsets(context, 'r')).toEqual([5])
    expect([...context.changes.payloads]).toEqual([[5, 'entry 5']])
  })

  test('does not deliver to users who are not subscribed', () => {
    const context = aContext(aQueue({ channel_ids: [] }))

    applyLogRecord(aRecord(5, messageSent.name, message()), context)

    expect(context.changes.deliveries.size).toBe(0)
    expect(context.changes.payloads.size).toBe(0)
  })

  test('delivers messages of public channels to unsubscribed listeners, except guests', () => {
    const listens = { all_public_streams: true, channel_ids: [] }
    const context = aContext(
      aQueue(listens),
      aQueue({ ...listens, queue_id: 'guest', user_id: 8, channel_role: Role.guest }),
    )

    applyLogRecord(aRecord(5, messageSent.name, message()), context)
    applyLogRecord(aRecord(6, messageSent.name, message({ is_public_channel: false })), context)

    expect(deliveredOffsets(context)).toEqual([5])
    expect(deliveredOffsets(context, 'guest')).toEqual([])
  })

  test('delivers direct messages to the participants only', () => {
    const context = aContext(aQueue(), aQueue({ queue_id: 'r', user_id: 8 }))

    applyLogRecord(aRecord(5, messageSent.name, message({ recipient_user_ids: [READER, 9] })), context)

    expect(deliveredOffsets(context)).toEqual([5])
    expect(deliveredOffsets(context, 'r')).toEqual([])
  })

  test('skips queues with other event types', () => {
    const context = aContext(aQueue({ event_types: ['subscription'] }))

    applyLogRecord(aRecord(5, messageSent.name, message()), context)

    expect(context.changes.deliveries.size).toBe(0)
  })
})

describe('subscribing and unsubscribing', () => {
  test('begin and end the delivery of messages at their offsets in the log', () => {
    const context = aContext(aQueue({ channel_ids: [], event_types: ['message'] }))

    applyLogRecord(aRecord(1, messageSent.name, message()), context)
    applyLogRecord(aRecord(2, subscribersAdded.name, added), context)
    applyLogRecord(aRecord(3, messageSent.name, message()), context)
    applyLogRecord(aRecord(4, subscribersRemoved.name, removed), context)
    applyLogRecord(aRecord(5, messageSent.name, message()), context)

    expect(deliveredOffsets(context)).toEqual([3])
  })

  test('are delivered to the user as a subscription and to others as a new peer', () => {
    const context = aContext(
      aQueue({ channel_ids: [] }),
      aQueue({ queue_id: 'r', user_id: 8, channel_ids: [] }),
    )

    applyLogRecord(aRecord(2, subscribersAdded.name, added), context)

    expect(context.changes.deliveries.get('q')).toEqual([eventIdOf(2, 1)])
    expect(context.changes.deliveries.get('r')).toEqual([eventIdOf(2, 3)])
  })

  test('deliver a private channel to a new subscriber first', () => {
    const context = aContext(
      aQueue({ channel_ids: [] }),
      aQueue({ queue_id: 'r', user_id: 8, channel_ids: [] }),
    )
    const secret = { ...added, channel: { ...channel, invite_only: true } }

    applyLogRecord(aRecord(2, subscribersAdded.name, secret), context)

    expect(context.changes.deliveries.get('q')).toEqual([eventIdOf(2, 0), eventIdOf(2, 1)])
    expect(context.changes.deliveries.has('r')).toBe(false)
  })
})

/**
 * Compares the snapshot hand-off with a sequential model. Transactions commit in some order. The log has them in the same
 * order (there is only one channel), but later. The snapshot is taken after some commits, `since` is noted before it, and the
 * queue is opened in the log anywhere after that.
 */
describe('the snapshot hand-off', () => {
  const history = fc.record({
    // Changes of the transactions in commit order; xids are assigned earlier, in any order.
    kinds: fc.array(fc.constantFrom('message', 'subscribe', 'unsubscribe'), { minLength: 1, maxLength: 30 }),
    shuffle: fc.array(fc.nat(1_000), { minLength: 30, maxLength: 30 }),
    snapshotAfter: fc.nat(30),
    relayLag: fc.nat(10),
    openedLater: fc.nat(10),
    sinceEarlier: fc.nat(10),
  })

  test('delivers each message in the state or in the queue, never in both or neither', () => {
    fc.assert(
      fc.property(history, ({ kinds, shuffle, snapshotAfter, relayLag, openedLater, sinceEarlier }) => {
        const commits = kinds.length
        const xids = shuffle
          .slice(0, commits)
          .map((rank, index) => ({ rank, index }))
          .sort((a, b) => a.rank - b.rank || a.index - b.index)
          .reduce<number[]>((all, { index }, order) => {
            all[index] = 100 + order
            return all
          }, [])
        const shown = Math.min(snapshotAfter, commits)
        const visible = new Set(xids.slice(0, shown))
        const running = xids.filter((xid) => !visible.has(xid))
        const snapshot = `100:${100 + commits}:${running.join(',')}`
        const published = Math.max(0, shown - relayLag)
        const since = Math.max(-1, published - 1 - sinceEarlier)
        const openedAt = Math.min(commits, published + openedLater)

        // The model: one reader who sees all changes in commit order.
        let isSubscribed = false
        const expected: number[] = []
        const subscribedAt: boolean[] = kinds.map((kind, index) => {
          if (kind !== 'message') isSubscribed = kind === 'subscribe'
          else if (isSubscribed && index >= shown) expected.push(index)
          return isSubscribed
        })

        const records = kinds.map((kind, index) => {
          const event = {
            message: messageSent,
            subscribe: subscribersAdded,
            unsubscribe: subscribersRemoved,
          }[kind]
          const payload = { message: message(), subscribe: added, unsubscribe: removed }[kind]
          return aRecord(index, event.name, payload, xids[index])
        })
        const queue = aQueue({
          event_types: ['message'],
          channel_ids: shown > 0 && subscribedAt[shown - 1] ? [CHANNEL] : [],
          snapshots: { messaging: snapshot },
        })
        const context = aContext()
        const opening = aRecord(commits, domainEvents.events.queueOpened.name, { queue, since })
        for (const record of records.slice(0, openedAt)) applyLogRecord(record, context)
        const { concerns } = handoffRangeOf(opening, context) as HandoffRange
        applyLogRecord(opening, context, records.slice(since + 1, openedAt).filter(concerns))
        for (const record of records.slice(openedAt)) applyLogRecord(record, context)

        expect(deliveredOffsets(context)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the hand-off range of a new queue', () => {
  const opened = (offset: number, since: number, positions?: Record<string, number>) =>
    aRecord(offset, domainEvents.events.queueOpened.name, { queue: aQueue(), since, positions })

  test('begins at the log offset and stream positions at which its state was read', () => {
    expect(handoffRangeOf(opened(20, 10, { s: 11 }), aContext())).toMatchObject({
      offset: 10,
      positions: { s: 11 },
    })
    expect(handoffRangeOf(opened(20, 10), aContext())).toMatchObject({ offset: 10, positions: {} })
  })

  test('excludes entries in its state, skipped entries, and openings and closings of other queues', () => {
    const queue = aQueue({ snapshots: { messaging: '10:10:' } })
    const opening = aRecord(20, domainEvents.events.queueOpened.name, { queue, since: 10 })
    const concerns = (handoffRangeOf(opening, aContext()) as HandoffRange).concerns
    const sent = (xid: number) => aRecord(15, messageSent.name, { message: message() }, xid)

    expect(concerns(sent(10))).toBe(true)
    expect(concerns(sent(9))).toBe(false)
    expect(concerns({ ...sent(10), entry: null })).toBe(false)
    expect(concerns(opened(15, 10))).toBe(false)
  })

  test('is null for a queue that exists already or belongs to another partition', () => {
    expect(handoffRangeOf(opened(20, 10), aContext(aQueue()))).toBeNull()
    expect(handoffRangeOf(opened(20, 10), { ...aContext(), isOurs: () => false })).toBeNull()
  })

  test('is null if the state was read beside a log that has been lost since', () => {
    const afterwards = { ...opened(20, 10, { s: 50 }), positions: { s: 21 } }

    expect(handoffRangeOf(opened(20, 20), aContext())).toBeNull()
    expect(handoffRangeOf(opened(20, 1_000), aContext())).toBeNull()
    expect(handoffRangeOf(afterwards, aContext())).toBeNull()
    expect(handoffRangeOf({ ...afterwards, positions: { s: 50, other: 7 } }, aContext())).not.toBeNull()
  })

  test('has a maximum length, beyond which the queue is not opened', () => {
    const context = aContext()
    const tooLate = opened(60_000, 10)
    expect(handoffRangeOf(tooLate, context)).toBeNull()
    applyLogRecord(tooLate, context)

    expect(context.changes.opened).toEqual([])
    expect(context.queues.get('q')).toBeUndefined()
  })
})
