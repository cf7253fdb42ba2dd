import type { QueueRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createChanges } from '../delivery/changes.ts'
import { createQueueState } from '../kernel/queue-state.ts'
import { commitNoticeOf, operationsOf, parseRecord } from './commit-operations.ts'

const aQueue = (changes: Partial<QueueRecord> = {}): QueueRecord =>
  ({
    ...{ queue_id: 'q', realm_id: 1, user_id: 7, role: 600, channel_role: 600, lifespan_seconds: 60 },
    ...{ event_types: null, narrow: [], channel_ids: [3, 4], snapshots: {} },
    guest_visibility: { visible_user_ids: [8, 9], email_host: 'chat.example.com' },
    ...changes,
  }) as unknown as QueueRecord

describe('the operations of a commit', () => {
  test('store an opened queue, with its channels and visible users apart from the record', () => {
    const changes = createChanges()
    changes.opened.push(aQueue())

    const [open, , text, lifespan, ...rest] = operationsOf(changes)

    expect([open, lifespan, ...rest]).toEqual(['O', 60, 2, 3, 4, 'S', 'q', 2, 8, 9])
    expect(parseRecord(String(text))).toEqual(
      aQueue({ channel_ids: [], guest_visibility: { visible_user_ids: [], email_host: 'chat.example.com' } }),
    )
  })

  test('update a queue once per batch', () => {
    const changes = createChanges()
    const queue = createQueueState(aQueue())
    changes.updatedQueues.add(queue)
    queue.record = { ...queue.record, role: 200 }
    changes.updatedQueues.add(queue)

    const operations = operationsOf(changes)

    expect(operations).toHaveLength(3)
    expect(operations.slice(0, 2)).toEqual(['U', 'q'])
    expect(parseRecord(String(operations[2])).role).toBe(200)
  })

  test('keep subscriptions and visible users in the order of their changes, and close queues last', () => {
    const changes = createChanges()
    changes.closed.push('q')
    changes.deliveries.set('r', [5])
    changes.payloads.set(1, 'text')
    changes.visibility.push({ queueId: 'q', userId: 8, isVisible: true })
    changes.visibility.push({ queueId: 'q', userId: 8, isVisible: false })
    changes.subscriptions.push({ queueId: 'q', channelId: 3, isSubscribed: false })

    expect(operationsOf(changes)).toEqual([
      ...['R', 'q', 3],
      ...['S', 'q', 1, 8],
      ...['D', 'q', 8],
      ...['L', 1, 'text'],
      ...['P', 'r', 1, 5],
      ...['C', 'q'],
    ])
  })
})

describe('the notice of a commit', () => {
  test('has the last events of a closed queue, which aren’t stored', () => {
    const changes = createChanges()
    changes.closed.push('q')
    changes.finalDeliveries.set('q', [5])

    expect(commitNoticeOf(changes)).toEqual({ events: { q: [5] }, opened: [], closed: ['q'] })
    expect(operationsOf(changes)).toEqual(['C', 'q'])
  })

  test('is omitted if no poll or register waits for the changes', () => {
    const changes = createChanges()
    changes.subscriptions.push({ queueId: 'q', channelId: 3, isSubscribed: true })

    expect(commitNoticeOf(changes)).toBeNull()
  })
})
