import { domainEvents, type PayloadOf } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { presentMessageFlagsUpdated } from '../rendering/message-flags-updated.ts'
import { presentSubmessageAdded } from '../rendering/submessage-added.ts'
import { coalesce, type Unwritten } from './coalesce.ts'
import { MAX_TOLD_ENDS, parseTold, TOLD_SINGLY } from './told.ts'

type Flags = PayloadOf<typeof domainEvents.messaging.messageFlagsUpdated>

const flags = (eventId: number, messages: number[], change: Partial<Flags> = {}): Unwritten => ({
  eventId,
  payload: { user_id: 1, op: 'add', flag: 'read', messages, all: false, ...change },
  presentation: presentMessageFlagsUpdated.presentation,
})
const other = (eventId: number): Unwritten => ({
  eventId,
  payload: {},
  presentation: presentSubmessageAdded.presentation,
})
const UNTOLD = parseTold('')

/** IDs of events with the messages that they name. */
const told = (events: readonly Unwritten[], about = UNTOLD) =>
  coalesce(events, about).map(({ event, payload }) => [event.eventId, (payload as Flags).messages])

describe('events that wait', () => {
  test('are one where neighbours say the same of other messages, with the newest ID', () => {
    expect(told([flags(4, [1, 2]), flags(8, [3]), flags(12, [2])])).toEqual([[12, [1, 2, 3]]])
  })

  test('keep their places among all others', () => {
    const events = [flags(4, [1]), flags(5, [2]), other(8), flags(12, [3]), flags(16, [4]), other(20)]

    expect(told(events)).toEqual([
      [5, [1, 2]],
      [8, undefined],
      [16, [3, 4]],
      [20, undefined],
    ])
  })

  test.each<[string, Unwritten, Unwritten]>([
    ['another flag', flags(4, [1]), flags(8, [2], { flag: 'starred' })],
    [
      'adding and removing',
      flags(4, [1], { flag: 'starred' }),
      flags(8, [1], { flag: 'starred', op: 'remove' }),
    ],
    ['marking all as read', flags(4, [1]), flags(8, [], { all: true })],
    ['what comes after marking all as read', flags(4, [], { all: true }), flags(8, [1])],
    [
      'marking as unread, which says where messages are',
      flags(4, [1], { op: 'remove', message_details: {} }),
      flags(8, [2], { op: 'remove', message_details: {} }),
    ],
    ['what can’t be joined at all', other(4), other(8)],
  ])('stay apart: %s', (_, earlier, later) => {
    expect(coalesce([earlier, later], UNTOLD).map(({ payload }) => payload)).toEqual([
      earlier.payload,
      later.payload,
    ])
  })

  test('are joined where a flag is taken away again from several', () => {
    const unstar = { flag: 'starred', op: 'remove' } as const

    expect(told([flags(4, [1], unstar), flags(8, [2], unstar)])).toEqual([[8, [1, 2]]])
  })
})

describe('what was told already', () => {
  const events = [flags(4, [1]), flags(8, [2]), flags(12, [3]), flags(16, [4])]

  test('is told again as it was, and what is new beside it', () => {
    expect(told(events.slice(0, 2), parseTold('0|8'))).toEqual([[8, [1, 2]]])
    expect(told(events.slice(0, 3), parseTold('0|8|12'))).toEqual([
      [8, [1, 2]],
      [12, [3]],
    ])
    expect(told(events, parseTold('0|8|16'))).toEqual([
      [8, [1, 2]],
      [16, [3, 4]],
    ])
  })

  test('stays single where it may have been told so', () => {
    expect(told(events, parseTold('9|16'))).toEqual([
      [4, [1]],
      [8, [2]],
      [16, [3, 4]],
    ])
    expect(told(events, TOLD_SINGLY)).toHaveLength(events.length)
  })

  test('leaves the rest single where it is told more often than is kept', () => {
    const ends = Array.from({ length: MAX_TOLD_ENDS }, () => 8)

    expect(told(events, parseTold(`0|${ends.join('|')}`))).toEqual([
      [8, [1, 2]],
      [12, [3]],
      [16, [4]],
    ])
  })
})
