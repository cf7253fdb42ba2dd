import { domainEvents, type LogEntry, type QueueRecord, Role, type UserChange } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createQueueState } from '../kernel/queue-state.ts'
import type { LogRecord } from '../log/entry.ts'
import { applyLogRecord } from './apply.ts'
import { type ApplyContext, createChanges } from './changes.ts'
import { QueueIndex } from './queue-index.ts'

const READER = 7
const OTHER = 8
const { userUpdated } = domainEvents.users
const { channelCreated, channelVisibilityChanged } = domainEvents.messaging
const { queueOpened } = domainEvents.events

const aQueue = (changes: Partial<QueueRecord> = {}): QueueRecord =>
  ({
    queue_id: 'q',
    realm_id: 1,
    user_id: READER,
    role: Role.member,
    channel_role: Role.member,
    event_types: null,
    narrow: [],
    channel_ids: [],
    snapshots: {},
    ...changes,
  }) as unknown as QueueRecord

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
const changed = (user_id: number, ...changes: UserChange[]) => ({
  user_id,
  changes,
  user: {},
  projection: {},
})
const promoted: UserChange = { kind: 'role', role: Role.administrator, previous_role: Role.member }
const deactivated: UserChange = { kind: 'is_active', is_active: false }
const visibilityChange = (role: number) => ({
  user_id: READER,
  role,
  gained: [],
  lost: [],
  default_channel_ids: null,
})
const secret = { channel: { stream_id: 3, invite_only: true, is_web_public: false } }

const aContext = (...queues: QueueRecord[]): ApplyContext => {
  const context = { queues: new QueueIndex(), changes: createChanges(), isOurs: () => true }
  for (const queue of queues) context.queues.add(createQueueState(queue))
  return context
}
const rolesOf = ({ queues }: ApplyContext, queueId = 'q') => {
  const { role, channel_role } = queues.get(queueId)?.record ?? {}
  return { role, channel_role }
}

describe('a change of role', () => {
  test('applies to users’ events from its own offset on, and to messaging’s from messaging’s own event on', () => {
    const context = aContext(aQueue())

    applyLogRecord(aRecord(1, userUpdated.name, changed(READER, promoted)), context)
    expect(rolesOf(context)).toEqual({ role: Role.administrator, channel_role: Role.member })
    applyLogRecord(aRecord(2, channelCreated.name, secret), context)
    expect(context.changes.deliveries.get('q')).toHaveLength(1)
    applyLogRecord(aRecord(3, channelVisibilityChanged.name, visibilityChange(Role.administrator)), context)
    applyLogRecord(aRecord(4, channelCreated.name, secret), context)

    expect(rolesOf(context)).toEqual({ role: Role.administrator, channel_role: Role.administrator })
    expect(context.changes.deliveries.get('q')).toHaveLength(2)
  })

  test('is one change per batch, with its final value', () => {
    const context = aContext(aQueue())
    applyLogRecord(aRecord(1, userUpdated.name, changed(READER, promoted)), context)
    applyLogRecord(aRecord(2, channelVisibilityChanged.name, visibilityChange(Role.administrator)), context)

    expect([...context.changes.updatedQueues].map(({ record }) => record)).toEqual([
      aQueue({ role: Role.administrator, channel_role: Role.administrator }),
    ])
  })

  test('of another user changes nothing, nor does one that the queue’s state contains', () => {
    const context = aContext(aQueue({ snapshots: { users: '5:5:', messaging: '5:5:' } }))

    applyLogRecord(aRecord(8, userUpdated.name, changed(OTHER, promoted)), context)
    applyLogRecord(aRecord(1, userUpdated.name, changed(READER, promoted)), context)
    applyLogRecord(aRecord(2, channelVisibilityChanged.name, visibilityChange(Role.administrator)), context)

    expect(rolesOf(context)).toEqual({ role: Role.member, channel_role: Role.member })
    expect(context.changes.updatedQueues.size).toBe(0)
  })

  test('during the opening of a queue applies to it', () => {
    const context = aContext()
    const queue = aQueue({ snapshots: { users: '5:5:', messaging: '5:5:' } })
    const earlier = [
      aRecord(6, userUpdated.name, changed(READER, promoted)),
      aRecord(7, channelVisibilityChanged.name, visibilityChange(Role.administrator)),
    ]

    applyLogRecord(aRecord(9, queueOpened.name, { queue, since: 5 }), context, earlier)

    expect(rolesOf(context)).toEqual({ role: Role.administrator, channel_role: Role.administrator })
    expect(context.changes.opened).toEqual([queue])
    expect([...context.changes.updatedQueues]).toEqual([context.queues.get('q')])
  })
})

describe('deactivating a user', () => {
  test('ends the user’s queues, and is delivered to other users', () => {
    const context = aContext(aQueue(), aQueue({ queue_id: 'r' }), aQueue({ queue_id: 's', user_id: OTHER }))

    applyLogRecord(aRecord(1, userUpdated.name, changed(READER, deactivated)), context)

    expect(context.changes.closed).toEqual(['q', 'r'])
    expect([...context.changes.deliveries.keys()]).toEqual(['s'])
    expect(context.queues.size).toBe(1)
  })

  test('opens and then ends a queue whose opening was in progress', () => {
    const context = aContext()
    const earlier = [aRecord(6, userUpdated.name, changed(READER, deactivated))]
    const queue = aQueue({ snapshots: { users: '5:5:' } })

    applyLogRecord(aRecord(9, queueOpened.name, { queue, since: 5 }), context, earlier)

    expect(context.queues.size).toBe(0)
    expect(context.changes.opened).toHaveLength(1)
    expect(context.changes.closed).toEqual(['q'])
  })

  test('keeps a queue that was opened after the reactivation', () => {
    const context = aContext(aQueue({ snapshots: { users: '5:5:' } }))

    applyLogRecord(aRecord(1, userUpdated.name, changed(READER, deactivated)), context)

    expect(context.changes.closed).toEqual([])
  })
})

test('a bot with a new owner loses its queues with their pending events', () => {
  const context = aContext(aQueue(), aQueue({ queue_id: 'other', user_id: OTHER }))
  const handedOver: UserChange = { kind: 'bot_owner_id', bot_owner_id: OTHER }

  applyLogRecord(aRecord(1, userUpdated.name, changed(READER, handedOver)), context)

  expect(context.changes.closed).toEqual(['q'])
  expect(context.queues.get('other')).toBeDefined()
})
