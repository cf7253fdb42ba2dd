import { domainEvents, type LogEntry, type QueueRecord, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { positionOf } from '../kernel/event-id.ts'
import { createQueueState } from '../kernel/queue-state.ts'
import type { LogRecord } from '../log/entry.ts'
import { toRenderedQueue } from '../rendering/presentation.ts'
import { presentationOf } from '../rendering/presentations.ts'
import { applyLogRecord } from './apply.ts'
import { type ApplyContext, createChanges } from './changes.ts'
import { QueueIndex } from './queue-index.ts'

const [GUEST, VISIBLE, INVISIBLE, CHANNEL] = [7, 8, 9, 3]
const { guestVisibilityChanged, guestRestrictionChanged, userCreated, userStatusUpdated, userUpdated } =
  domainEvents.users
const { messageSent, reactionUpdated } = domainEvents.messaging
const { queueOpened } = domainEvents.events

const aQueue = (changes: Partial<QueueRecord> = {}): QueueRecord =>
  ({
    queue_id: 'q',
    realm_id: 1,
    user_id: GUEST,
    role: Role.guest,
    channel_role: Role.guest,
    event_types: null,
    narrow: [],
    channel_ids: [CHANNEL],
    guest_visibility: { visible_user_ids: [VISIBLE], email_host: 'chat.example.com' },
    client_capabilities: { user_list_incomplete: false },
    snapshots: {},
    ...changes,
  }) as unknown as QueueRecord
const unrestricted = aQueue({ queue_id: 'u', user_id: 10, guest_visibility: null })

const aRecord = (offset: number, { name }: { name: string }, payload: unknown, xid = offset): LogRecord => {
  const source = name.split('.')[0] as LogEntry['source']
  const header = {
    stream: 's',
    source,
    seq: offset + 1,
    xid,
    at: 0,
    event: name,
    realm_id: 1,
    request_id: null,
  }
  return { offset, entry: { ...header, payload }, body: '', positions: {}, cache: new Map() }
}
const aContext = (...queues: QueueRecord[]): ApplyContext => {
  const context = { queues: new QueueIndex(), changes: createChanges(), isOurs: () => true }
  for (const queue of queues) context.queues.add(createQueueState(queue))
  return context
}
const user = (user_id: number, is_bot = false) => ({
  user_id,
  is_bot,
  full_name: `User ${user_id}`,
  delivery_email: `user${user_id}@private.example.com`,
})
const renamed = (user_id: number, is_bot = false) => ({
  user_id,
  changes: [{ kind: 'full_name', full_name: 'Another' }],
  projection: { user_id, is_bot },
})
const visibilityChange = (gained: number[], lost: number[]) => ({
  guest_ids: [GUEST],
  gained: gained.map((id) => ({ user: user(id), email_address_visibility: 5 })),
  lost_user_ids: lost,
})

/** Applies an entry and returns the client events that it becomes for a queue. */
const apply = (context: ApplyContext, record: LogRecord, queueId = 'q') => {
  const before = context.changes.deliveries.get(queueId)?.length ?? 0
  applyLogRecord(record, context)
  const queue = context.queues.get(queueId)
  if (!queue || !record.entry) return []
  const presentation = presentationOf(record.entry)
  return (context.changes.deliveries.get(queueId) ?? []).slice(before).map((eventId) => {
    const { index } = positionOf(eventId)
    const text = presentation.write(record.entry?.payload, index, toRenderedQueue(queue.record), record.cache)
    return JSON.parse(`{${text}}`) as Record<string, unknown>
  })
}

describe('an event about a user', () => {
  test.each([
    ['is delivered if the user is visible to the guest', renamed(VISIBLE), 1],
    ['is not delivered if the user is invisible to the guest', renamed(INVISIBLE), 0],
    ['is delivered if the user is the guest', renamed(GUEST), 1],
    ['is delivered if the user is a bot', renamed(INVISIBLE, true), 1],
  ])('%s', (_, payload, count) => {
    expect(apply(aContext(aQueue()), aRecord(1, userUpdated, payload))).toHaveLength(count)
  })

  test('is delivered to everyone with unrestricted visibility', () => {
    expect(apply(aContext(unrestricted), aRecord(1, userUpdated, renamed(INVISIBLE)), 'u')).toHaveLength(1)
  })

  test('is delivered to a queue of an earlier release, whose record lacks visibility', () => {
    const { guest_visibility: _, ...old } = unrestricted
    const context = aContext(old as QueueRecord)
    expect(apply(context, aRecord(1, userUpdated, renamed(INVISIBLE)), 'u')).toHaveLength(1)
  })
})

describe('a change of a guest’s visible users', () => {
  test('is delivered, and applies to the events that follow', () => {
    const context = aContext(aQueue())
    const status = (user_id: number) => ({ user_id, change: { status_text: 'away' } })

    const events = apply(
      context,
      aRecord(1, guestVisibilityChanged, visibilityChange([INVISIBLE], [VISIBLE])),
    )

    expect(events).toEqual([
      {
        type: 'realm_user',
        op: 'add',
        person: { ...user(INVISIBLE), delivery_email: null },
      },
      { type: 'realm_user', op: 'remove', person: { user_id: VISIBLE, full_name: 'Unknown user' } },
    ])
    expect(apply(context, aRecord(2, userStatusUpdated, status(INVISIBLE)))).toHaveLength(1)
    expect(apply(context, aRecord(3, userStatusUpdated, status(VISIBLE)))).toEqual([])
  })

  test('is part of the changes to commit', () => {
    const context = aContext(aQueue())
    applyLogRecord(aRecord(1, guestVisibilityChanged, visibilityChange([INVISIBLE], [VISIBLE])), context)

    expect(context.changes.visibility).toEqual([
      { queueId: 'q', userId: INVISIBLE, isVisible: true },
      { queueId: 'q', userId: VISIBLE, isVisible: false },
    ])
  })

  test('that the queue’s state contains is neither delivered nor applied', () => {
    const context = aContext(aQueue({ snapshots: { users: '5:5:' } }))

    expect(
      apply(context, aRecord(1, guestVisibilityChanged, visibilityChange([INVISIBLE], [VISIBLE]))),
    ).toEqual([])
    expect([...(context.queues.get('q')?.visibleUserIds ?? [])]).toEqual([VISIBLE])
  })

  test('during the opening of a queue applies to it', () => {
    const context = aContext()
    const earlier = [aRecord(6, guestVisibilityChanged, visibilityChange([INVISIBLE], []))]
    const queue = aQueue({ snapshots: { users: '5:5:' } })

    applyLogRecord(aRecord(9, queueOpened, { queue, since: 5 }), context, earlier)

    expect(context.changes.opened).toEqual([queue])
    expect(context.changes.visibility).toEqual([{ queueId: 'q', userId: INVISIBLE, isVisible: true }])
    expect([...(context.queues.get('q')?.visibleUserIds ?? [])]).toEqual([VISIBLE, INVISIBLE])
  })

  test('is not delivered to a queue with unrestricted visibility', () => {
    const context = aContext(aQueue({ guest_visibility: null }))
    expect(
      apply(context, aRecord(1, guestVisibilityChanged, visibilityChange([INVISIBLE], [VISIBLE]))),
    ).toEqual([])
  })
})

describe('restricting a guest’s visibility, or lifting the restriction', () => {
  test('ends the queues whose state does not contain the change, and no others', () => {
    const upToDate = aQueue({ queue_id: 'k', snapshots: { users: '5:5:' } })
    const context = aContext(aQueue(), upToDate, unrestricted)

    applyLogRecord(aRecord(1, guestRestrictionChanged, { user_ids: [GUEST] }), context)

    expect(context.changes.closed).toEqual(['q'])
  })
})

describe('a new user', () => {
  const created = (is_bot = false) => ({
    user: user(INVISIBLE, is_bot),
    projection: { email_address_visibility: 1 },
  })

  test('is an unknown user to guests, for clients that need a record of every user', () => {
    const [event] = apply(aContext(aQueue()), aRecord(1, userCreated, created()))
    expect(event).toMatchObject({
      op: 'add',
      person: { user_id: INVISIBLE, full_name: 'Unknown user', email: `user${INVISIBLE}@chat.example.com` },
    })
  })

  test('is not delivered to other clients of guests, unless it is a bot', () => {
    const client_capabilities = { user_list_incomplete: true } as QueueRecord['client_capabilities']
    const context = aContext(aQueue({ client_capabilities }))

    expect(apply(context, aRecord(1, userCreated, created()))).toEqual([])
    expect(apply(context, aRecord(2, userCreated, created(true)))).toHaveLength(1)
  })
})

describe('a message or a reaction', () => {
  const message = (sender_id: number, is_sender_outside?: true) => ({
    message: {
      id: 1,
      type: 'stream',
      stream_id: CHANNEL,
      sender_id,
      sender_email: `user${sender_id}@private.example.com`,
      sender_full_name: `User ${sender_id}`,
      avatar_url: '/user_avatars/1/x.png',
      submessages: [],
    },
    raw_content: 'hello',
    sender_is_gravatar: true,
    recipient_user_ids: null,
    flags_by_user: { [GUEST]: ['mentioned'] },
    flags_of_all: [],
    sender_queue_id: null,
    local_id: null,
    ...(is_sender_outside ? { is_sender_outside } : {}),
  })

  test('of an invisible user outside the channel is attributed to an unknown user', () => {
    const context = aContext(aQueue({ client_gravatar: true }))
    const [event] = apply(context, aRecord(1, messageSent, message(INVISIBLE, true)))

    expect(event).toMatchObject({ message: { sender_id: INVISIBLE, sender_full_name: 'Unknown user' } })
    expect(event).toMatchObject({ flags: ['mentioned'], message: { avatar_url: expect.any(String) } })
    expect(JSON.stringify(event)).not.toContain('private')
  })

  test.each([
    ['of a user in the channel', message(INVISIBLE)],
    ['of a visible user outside the channel', message(VISIBLE, true)],
  ])('%s has its sender', (_, payload) => {
    const [event] = apply(aContext(aQueue()), aRecord(1, messageSent, payload))
    expect(event).toMatchObject({ message: { sender_full_name: payload.message.sender_full_name } })
  })

  test('has the reacting user only if that user is visible to the guest', () => {
    const reaction = (user_id: number) => ({
      op: 'add',
      is_user_guarded: true,
      user: { user_id, email: `user${user_id}@private.example.com`, full_name: `User ${user_id}` },
      holders: { channel_id: CHANNEL, user_ids: [GUEST] },
    })
    const context = aContext(aQueue())

    const events = [INVISIBLE, VISIBLE].flatMap((id) =>
      apply(context, aRecord(id, reactionUpdated, reaction(id))),
    )

    expect(events).toMatchObject([
      { user_id: INVISIBLE, user: { user_id: INVISIBLE, full_name: 'Unknown user' } },
      { user_id: VISIBLE, user: { full_name: `User ${VISIBLE}` } },
    ])
    expect(events[0]).not.toHaveProperty('is_user_guarded')
  })
})
