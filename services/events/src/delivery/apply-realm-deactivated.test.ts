import { domainEvents, type LogEntry, type QueueRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { eventIdOf } from '../kernel/event-id.ts'
import { createQueueState } from '../kernel/queue-state.ts'
import type { LogRecord } from '../log/entry.ts'
import { applyLogRecord } from './apply.ts'
import { type ApplyContext, createChanges } from './changes.ts'
import { QueueIndex } from './queue-index.ts'

const { realmDeactivated } = domainEvents.realm
const { queueOpened } = domainEvents.events

const aQueue = (changes: Partial<QueueRecord>): QueueRecord =>
  ({
    realm_id: 1,
    user_id: 7,
    role: 400,
    channel_role: 400,
    event_types: null,
    narrow: [],
    channel_ids: [],
    snapshots: {},
    ...changes,
  }) as unknown as QueueRecord

const aRecord = (offset: number, event: string, payload: unknown): LogRecord => {
  const source = event.split('.')[0] as LogEntry['source']
  const entry: LogEntry = {
    ...{ stream: 's', source, seq: offset + 1, xid: offset, event },
    ...{ at: 0, realm_id: 1, request_id: null, payload },
  }
  return { offset, entry, body: `entry ${offset}`, positions: {}, cache: new Map() }
}
const end = (offset: number) => aRecord(offset, realmDeactivated.name, { projection: { realm_id: 1 } })

const aContext = (...queues: QueueRecord[]): ApplyContext => {
  const context = { queues: new QueueIndex(), changes: createChanges(), isOurs: () => true }
  for (const queue of queues) context.queues.add(createQueueState(queue))
  return context
}

describe('deactivating an organization', () => {
  test('ends its queues after a final delivery to pending polls, and no others', () => {
    const context = aContext(aQueue({ queue_id: 'a' }), aQueue({ queue_id: 'other', realm_id: 2 }))

    applyLogRecord(end(5), context)

    expect([...context.changes.finalDeliveries]).toEqual([['a', [eventIdOf(5, 0)]]])
    expect(context.changes.closed).toEqual(['a'])
    expect(context.queues.get('a')).toBeUndefined()
    expect(context.queues.get('other')).toBeDefined()
    // Events that nobody can fetch aren't stored.
    expect(context.changes.deliveries.size).toBe(0)
  })

  test('ends queues with other event types too', () => {
    const context = aContext(aQueue({ queue_id: 'a', event_types: ['message'] }))

    applyLogRecord(end(5), context)

    expect(context.changes.closed).toEqual(['a'])
    expect(context.changes.finalDeliveries.size).toBe(0)
  })

  test('keeps queues that were opened after the reactivation', () => {
    const context = aContext(aQueue({ queue_id: 'a', snapshots: { realm: '9:9:' } }))

    applyLogRecord(end(5), context)

    expect(context.queues.get('a')).toBeDefined()
  })

  test('ends a queue whose opening began before it', () => {
    const context = aContext()
    const queue = aQueue({ queue_id: 'a', snapshots: { realm: '5:5:' } })

    applyLogRecord(aRecord(6, queueOpened.name, { queue, since: 4 }), context, [end(5)])

    expect(context.changes.closed).toEqual(['a'])
    expect(context.queues.get('a')).toBeUndefined()
  })
})
