import { domainEvents, type LogEntry, type QueueRecord, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { LogRecord } from '../log/entry.ts'
import { operationsOf } from '../redis/commit-operations.ts'
import { asRendered } from '../rendering/presentation.ts'
import { presentationOf } from '../rendering/presentations.ts'
import { applyRecord } from './apply.ts'
import { type ApplyContext, noChanges } from './changes.ts'
import { positionOf } from './event-id.ts'
import { QueueIndex } from './queue-index.ts'
import { createQueueState } from './queue-state.ts'

const [GUEST, SEEN, UNSEEN, CHANNEL] = [7, 8, 9, 3]
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
    guest_visibility: { visible_user_ids: [SEEN], email_host: 'chat.example.com' },
    client_capabilities: { user_list_incomplete: false },
    snapshots: {},
    ...changes,
  }) as unknown as QueueRecord
const unlimited = aQueue({ queue_id: 'u', user_id: 10, guest_visibility: null })

const aRecord = (offset: number, { name }: { name: string }, payload: unknown, xid = offset): LogRecord => {
  const source = name.split('.')[0] as LogEntry['source']
  const place = { stream: 's', source, seq: offset + 1, xid, event: name, realm_id: 1, request_id: null }
  return { offset, entry: { ...place, payload }, body: '', positions: {}, cache: new Map() }
}
const aContext = (...queues: QueueRecord[]): ApplyContext => {
  const context = { queues: new QueueIndex(), changes: noChanges(), isOurs: () => true }
  for (const queue of queues) context.queues.add(createQueueState(queue))
  return context
}
const user = (user_id: number, is_bot = false) => ({
  user_id,
  is_bot,
  full_name: `User ${user_id}`,
  delivery_email: `user${user_id}@private.example.com`,
})
const named = (user_id: number, is_bot = false) => ({
  user_id,
  changes: [{ kind: 'full_name', full_name: 'Another' }],
  projection: { user_id, is_bot },
})
const sight = (gained: number[], lost: number[]) => ({
  guest_ids: [GUEST],
  gained: gained.map((id) => ({ user: user(id), email_address_visibility: 5 })),
  lost_user_ids: lost,
})

/** The client events that an entry becomes for a queue. */
const told = (context: ApplyContext, record: LogRecord, queueId = 'q') => {
  const before = context.changes.deliveries.get(queueId)?.length ?? 0
  applyRecord(record, context)
  const queue = context.queues.get(queueId)
  if (!queue || !record.entry) return []
  const presentation = presentationOf(record.entry)
  return (context.changes.deliveries.get(queueId) ?? []).slice(before).map((eventId) => {
    const { index } = positionOf(eventId)
    const text = presentation.write(record.entry?.payload, index, asRendered(queue.record), record.cache)
    return JSON.parse(`{${text}}`) as Record<string, unknown>
  })
}

describe('what is about someone', () => {
  test.each([
    ['whom the guest sees', named(SEEN), 1],
    ['whom the guest does not see', named(UNSEEN), 0],
    ['who is the guest', named(GUEST), 1],
    ['who is a bot', named(UNSEEN, true), 1],
  ])('is told of one %s', (_, payload, count) => {
    expect(told(aContext(aQueue()), aRecord(1, userUpdated, payload))).toHaveLength(count)
  })

  test('is told to everyone whose sight is not limited', () => {
    expect(told(aContext(unlimited), aRecord(1, userUpdated, named(UNSEEN)), 'u')).toHaveLength(1)
  })

  test('reaches a queue of an earlier release, which knows nothing of sight', () => {
    const { guest_visibility: _, ...old } = unlimited
    const context = aContext(old as QueueRecord)
    expect(told(context, aRecord(1, userUpdated, named(UNSEEN)), 'u')).toHaveLength(1)
  })
})

describe('a change of whom a guest sees', () => {
  test('is told, and counts for what follows', () => {
    const context = aContext(aQueue())
    const status = (user_id: number) => ({ user_id, change: { status_text: 'away' } })

    const events = told(context, aRecord(1, guestVisibilityChanged, sight([UNSEEN], [SEEN])))

    expect(events).toEqual([
      {
        type: 'realm_user',
        op: 'add',
        person: { ...user(UNSEEN), delivery_email: null },
      },
      { type: 'realm_user', op: 'remove', person: { user_id: SEEN, full_name: 'Unknown user' } },
    ])
    expect(told(context, aRecord(2, userStatusUpdated, status(UNSEEN)))).toHaveLength(1)
    expect(told(context, aRecord(3, userStatusUpdated, status(SEEN)))).toEqual([])
  })

  test('is written with the batch', () => {
    const context = aContext(aQueue())
    applyRecord(aRecord(1, guestVisibilityChanged, sight([UNSEEN], [SEEN])), context)

    expect(operationsOf(context.changes).slice(0, 7)).toEqual(['S', 'q', 1, UNSEEN, 'D', 'q', SEEN])
  })

  test('that the queue’s state shows is neither told nor applied', () => {
    const context = aContext(aQueue({ snapshots: { users: '5:5:' } }))

    expect(told(context, aRecord(1, guestVisibilityChanged, sight([UNSEEN], [SEEN])))).toEqual([])
    expect([...(context.queues.get('q')?.visibleUserIds ?? [])]).toEqual([SEEN])
  })

  test('that came while a queue was being opened counts for it, and what is seen is stored apart', () => {
    const context = aContext()
    const earlier = [aRecord(6, guestVisibilityChanged, sight([UNSEEN], []))]
    const queue = aQueue({ snapshots: { users: '5:5:' } })

    applyRecord(aRecord(9, queueOpened, { queue, since: 5 }), context, earlier)

    const operations = operationsOf(context.changes)
    expect(operations[2]).toMatch(
      /"guest_visibility":{"visible_user_ids":\[\],"email_host":"chat.example.com"}/,
    )
    expect(operations.join()).toContain(`S,q,1,${SEEN}`)
    expect(operations.join()).toContain(`S,q,1,${UNSEEN}`)
  })

  test('is nothing to a queue whose owner sees everyone', () => {
    const context = aContext(aQueue({ guest_visibility: null }))
    expect(told(context, aRecord(1, guestVisibilityChanged, sight([UNSEEN], [SEEN])))).toEqual([])
  })
})

describe('a sight that begins or ceases to be limited', () => {
  test('ends the queues that do not know of it, and no others', () => {
    const knows = aQueue({ queue_id: 'k', snapshots: { users: '5:5:' } })
    const context = aContext(aQueue(), knows, unlimited)

    applyRecord(aRecord(1, guestRestrictionChanged, { user_ids: [GUEST] }), context)

    expect(context.changes.closed).toEqual(['q'])
  })
})

describe('someone new', () => {
  const created = (is_bot = false) => ({
    user: user(UNSEEN, is_bot),
    projection: { email_address_visibility: 1 },
  })

  test('is an unknown user to guests, for clients that count on a record of everyone', () => {
    const [event] = told(aContext(aQueue()), aRecord(1, userCreated, created()))
    expect(event).toMatchObject({
      op: 'add',
      person: { user_id: UNSEEN, full_name: 'Unknown user', email: `user${UNSEEN}@chat.example.com` },
    })
  })

  test('is nobody for the other clients of guests, unless it is a bot', () => {
    const client_capabilities = { user_list_incomplete: true } as QueueRecord['client_capabilities']
    const context = aContext(aQueue({ client_capabilities }))

    expect(told(context, aRecord(1, userCreated, created()))).toEqual([])
    expect(told(context, aRecord(2, userCreated, created(true)))).toHaveLength(1)
  })
})

describe('a message, or a reaction', () => {
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

  test('of someone outside the channel whom the guest does not see is an unknown user’s', () => {
    const context = aContext(aQueue({ client_gravatar: true }))
    const [event] = told(context, aRecord(1, messageSent, message(UNSEEN, true)))

    expect(event).toMatchObject({ message: { sender_id: UNSEEN, sender_full_name: 'Unknown user' } })
    expect(event).toMatchObject({ flags: ['mentioned'], message: { avatar_url: expect.any(String) } })
    expect(JSON.stringify(event)).not.toContain('private')
  })

  test.each([
    ['of someone in the channel', message(UNSEEN)],
    ['of someone outside whom the guest sees', message(SEEN, true)],
  ])('%s shows who has sent it', (_, payload) => {
    const [event] = told(aContext(aQueue()), aRecord(1, messageSent, payload))
    expect(event).toMatchObject({ message: { sender_full_name: payload.message.sender_full_name } })
  })

  test('shows a guest who has reacted only if they see them', () => {
    const reaction = (user_id: number) => ({
      op: 'add',
      is_user_guarded: true,
      user: { user_id, email: `user${user_id}@private.example.com`, full_name: `User ${user_id}` },
      holders: { channel_id: CHANNEL, user_ids: [GUEST] },
    })
    const context = aContext(aQueue())

    const events = [UNSEEN, SEEN].flatMap((id) => told(context, aRecord(id, reactionUpdated, reaction(id))))

    expect(events).toMatchObject([
      { user_id: UNSEEN, user: { user_id: UNSEEN, full_name: 'Unknown user' } },
      { user_id: SEEN, user: { full_name: `User ${SEEN}` } },
    ])
    expect(events[0]).not.toHaveProperty('is_user_guarded')
  })
})
