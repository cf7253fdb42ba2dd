import type { QueueRecord } from '@tms/contracts'
import { expect, test } from 'vitest'
import { createQueueState } from './queue-state.ts'
import { SharedValues } from './shared-values.ts'

const aRecord = (changes: Partial<QueueRecord> = {}): QueueRecord =>
  ({
    ...{ queue_id: 'q', user_id: 7, event_types: ['message'], narrow: [], channel_ids: [4, 3] },
    ...{ client_capabilities: { empty_topic_name: true }, snapshots: { users: '5:5:' } },
    ...changes,
  }) as unknown as QueueRecord

test('queues of equal clients have one text of what they want, and one snapshot if they began together', () => {
  const shared = new SharedValues()
  const first = createQueueState(aRecord(), { shared })
  const second = createQueueState(aRecord({ queue_id: 'r' }), { shared })
  const other = createQueueState(aRecord({ event_types: null }), { shared })

  expect(second.record.client_capabilities).toBe(first.record.client_capabilities)
  expect([second.eventTypes, second.snapshots]).toEqual([new Set(['message']), first.snapshots])
  expect(second.snapshots).toBe(first.snapshots)
  expect([other.eventTypes, other.record.event_types]).toEqual([null, null])
})

test('a queue begins with the channels of its record, or with those that are stored', () => {
  const ids = (state: ReturnType<typeof createQueueState>) => [...state.channelIds]

  expect(ids(createQueueState(aRecord()))).toEqual([3, 4])
  expect(ids(createQueueState(aRecord(), { channelIds: [9] }))).toEqual([9])
  expect(createQueueState(aRecord()).record.channel_ids).toEqual([])
})
