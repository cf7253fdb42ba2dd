import { domainEvents, type PayloadOf } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { MAX_ANSWER_ENDS, parseDeliveryBoundaries } from '../redis/delivery-boundaries.ts'
import { presentMessageFlagsUpdated } from '../rendering/message-flags-updated.ts'
import { presentSubmessageAdded } from '../rendering/submessage-added.ts'
import { coalesce, JOIN_NOTHING, type UnrenderedEvent } from './coalesce.ts'

type Flags = PayloadOf<typeof domainEvents.messaging.messageFlagsUpdated>

const flags = (eventId: number, messages: number[], change: Partial<Flags> = {}): UnrenderedEvent => ({
  eventId,
  payload: { user_id: 1, op: 'add', flag: 'read', messages, all: false, ...change },
  presentation: presentMessageFlagsUpdated.presentation,
})
const other = (eventId: number): UnrenderedEvent => ({
  eventId,
  payload: {},
  presentation: presentSubmessageAdded.presentation,
})
const NOTHING_DELIVERED = parseDeliveryBoundaries('')

/** Joins events. Returns their IDs with the IDs of their messages. */
const join = (events: readonly UnrenderedEvent[], boundaries = NOTHING_DELIVERED) =>
  coalesce(events, boundaries).map(({ event, payload }) => [event.eventId, (payload as Flags).messages])

describe('pending events', () => {
  test('are joined if neighbours make the same change to other messages, with the newest ID', () => {
    expect(join([flags(4, [1, 2]), flags(8, [3]), flags(12, [2])])).toEqual([[12, [1, 2, 3]]])
  })

  test('keep their order among all others', () => {
    const events = [flags(4, [1]), flags(5, [2]), other(8), flags(12, [3]), flags(16, [4]), other(20)]

    expect(join(events)).toEqual([
      [5, [1, 2]],
      [8, undefined],
      [16, [3, 4]],
      [20, undefined],
    ])
  })

  test.each<[string, UnrenderedEvent, UnrenderedEvent]>([
    ['another flag', flags(4, [1]), flags(8, [2], { flag: 'starred' })],
    [
      'adding and removing',
      flags(4, [1], { flag: 'starred' }),
      flags(8, [1], { flag: 'starred', op: 'remove' }),
    ],
    ['marking all messages as read', flags(4, [1]), flags(8, [], { all: true })],
    ['an event after marking all messages as read', flags(4, [], { all: true }), flags(8, [1])],
    [
      'marking as unread, with the topics of the messages',
      flags(4, [1], { op: 'remove', message_details: {} }),
      flags(8, [2], { op: 'remove', message_details: {} }),
    ],
    ['events without a rule for joining', other(4), other(8)],
  ])('are not joined: %s', (_, earlier, later) => {
    expect(coalesce([earlier, later], NOTHING_DELIVERED).map(({ payload }) => payload)).toEqual([
      earlier.payload,
      later.payload,
    ])
  })

  test('are joined if a flag is removed from several messages', () => {
    const unstar = { flag: 'starred', op: 'remove' } as const

    expect(join([flags(4, [1], unstar), flags(8, [2], unstar)])).toEqual([[8, [1, 2]]])
  })
})

describe('events that were delivered already', () => {
  const events = [flags(4, [1]), flags(8, [2]), flags(12, [3]), flags(16, [4])]

  test('are delivered again in the same form, separate from new ones', () => {
    expect(join(events.slice(0, 2), parseDeliveryBoundaries('0|8'))).toEqual([[8, [1, 2]]])
    expect(join(events.slice(0, 3), parseDeliveryBoundaries('0|8|12'))).toEqual([
      [8, [1, 2]],
      [12, [3]],
    ])
    expect(join(events, parseDeliveryBoundaries('0|8|16'))).toEqual([
      [8, [1, 2]],
      [16, [3, 4]],
    ])
  })

  test('stay single if they may have been delivered singly', () => {
    expect(join(events, parseDeliveryBoundaries('9|16'))).toEqual([
      [4, [1]],
      [8, [2]],
      [16, [3, 4]],
    ])
    expect(join(events, JOIN_NOTHING)).toHaveLength(events.length)
  })

  test('leave later events single once the maximum number of boundaries is reached', () => {
    const ends = Array.from({ length: MAX_ANSWER_ENDS }, () => 8)

    expect(join(events, parseDeliveryBoundaries(`0|${ends.join('|')}`))).toEqual([
      [8, [1, 2]],
      [12, [3]],
      [16, [4]],
    ])
  })
})
