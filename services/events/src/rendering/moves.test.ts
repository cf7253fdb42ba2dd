import { type QueueRecord, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createQueueState } from '../kernel/queue-state.ts'
import { presentMessageUpdated } from './message-updated.ts'
import { presentMessagesDeleted } from './messages-deleted.ts'
import { toRenderedQueue } from './presentation.ts'

const [OLD, NEW] = [3, 4]
const channel = (id: number, settings: object = {}) => ({
  id,
  invite_only: false,
  is_web_public: false,
  shares_history: true,
  ...settings,
})
const open = channel(NEW)
const webPublic = channel(NEW, { is_web_public: true })
const closed = channel(NEW, { invite_only: true })
const RECIPIENT = 9

const queueOf = (userId: number, role: number, channelIds: number[], inBulk = true) =>
  createQueueState({
    queue_id: 'q',
    user_id: userId,
    channel_role: role,
    channel_ids: channelIds,
    narrow: [],
    event_types: null,
    snapshots: {},
    client_capabilities: { bulk_message_deletion: inBulk },
  } as unknown as QueueRecord)

describe('a move from one channel to another', () => {
  test.each([
    ['a member of both', Role.member, [OLD, NEW], closed, 'update'],
    ['a member of the old one', Role.member, [OLD], open, 'update'],
    ['a member of the old one', Role.member, [OLD], closed, 'delete'],
    ['a member of the new one', Role.member, [NEW], closed, 'update'],
    ['a guest in the old one', Role.guest, [OLD], open, 'delete'],
    ['a guest in the old one', Role.guest, [OLD], webPublic, 'update'],
    ['a guest in the new one', Role.guest, [NEW], open, 'update'],
    ['an administrator in the old one', Role.administrator, [OLD], closed, 'delete'],
    ['a member of neither', Role.member, [], open, 'nothing'],
    ['a recipient who left', Role.member, [], open, 'update'],
    ['a recipient who left', Role.member, [], closed, 'delete'],
  ] as const)('%s (%s in %j) to %j: %s', (viewer, role, channelIds, target, expected) => {
    const queue = queueOf(viewer === 'a recipient who left' ? RECIPIENT : 7, role, [...channelIds])
    const update = { channel: channel(OLD), new_channel: target, holder_ids: [RECIPIENT] }
    const loss = {
      channel: { id: OLD, topic: 't' },
      moved_to: target,
      message_ids: [1],
      user_ids: [RECIPIENT],
      concerns_subscribers: true,
    }
    const kinds = [
      ...presentMessageUpdated.presentation.list(update, queue, new Map()).map(() => 'update'),
      ...presentMessagesDeleted.presentation.list(loss, queue, new Map()).map(() => 'delete'),
    ]
    expect(kinds).toEqual(expected === 'nothing' ? [] : [expected])
  })
})

describe('the fields of a move', () => {
  const origin = { stream_id: OLD, stream_name: 'old', orig_subject: 'before' }
  const asMove = { ...origin, new_stream_id: NEW, propagate_mode: 'change_all' }
  const arrival = { stream_id: NEW, stream_name: 'new', subject: 'before', topic_links: [] }
  const asArrival = { ...arrival, orig_subject: 'before' }
  const isProtected = channel(OLD, { invite_only: true, shares_history: false })
  const isPrivate = channel(OLD, { invite_only: true })

  test.each([
    ['a subscriber of the new one', Role.member, 7, [NEW], isPrivate, asArrival],
    ['a guest in the new one', Role.guest, 7, [NEW], channel(OLD), asArrival],
    ['a guest in the new one', Role.guest, 7, [NEW], channel(OLD, { is_web_public: true }), asMove],
    ['an administrator in the new one', Role.administrator, 7, [NEW], isPrivate, asArrival],
    ['a member of the new one', Role.member, 7, [NEW], channel(OLD), asMove],
    ['a subscriber of both', Role.member, 7, [OLD, NEW], isPrivate, asMove],
    ['a recipient in a protected history', Role.member, RECIPIENT, [OLD, NEW], isProtected, asMove],
    ['a later subscriber of both', Role.member, 7, [OLD, NEW], isProtected, asArrival],
  ] as const)('to %s (%s)', (_, role, userId, channelIds, source, expected) => {
    const queue = queueOf(userId, role, [...channelIds])
    const payload = {
      update: asMove,
      channel: source,
      new_channel: open,
      arrival,
      holder_ids: [RECIPIENT],
      flags_by_user: {},
      flags_of_all: [],
      unread_user_ids: [],
    }
    const { list, write } = presentMessageUpdated.presentation
    const cache = new Map()
    const events = list(payload, queue, cache).map(
      ({ index }) =>
        JSON.parse(`{${write(payload, index, toRenderedQueue(queue.record), cache)}}`) as unknown,
    )
    expect(events).toEqual([{ type: 'update_message', flags: ['read'], ...expected }])
  })
})

describe('flags in update_message', () => {
  const payload = {
    update: {},
    flags_by_user: { 7: ['starred'], 8: ['historical'] },
    flags_of_all: ['stream_wildcard_mentioned', 'wildcard_mentioned'],
    unread_user_ids: [7],
  }
  const flagsOf = (userId: number, changes: object = {}) => {
    const { record } = queueOf(userId, Role.member, [OLD])
    const text = presentMessageUpdated.presentation.write(
      { ...payload, ...changes },
      0,
      toRenderedQueue(record),
      new Map(),
    )
    return (JSON.parse(`{${text}}`) as { flags: string[] }).flags
  }

  test.each([
    ['a user who has not read it', 7, ['starred', 'stream_wildcard_mentioned', 'wildcard_mentioned']],
    ['a user who is not a recipient', 8, ['read', 'historical']],
    ['all others', 9, ['read', 'stream_wildcard_mentioned', 'wildcard_mentioned']],
  ])('of %s', (_, userId, expected) => {
    expect(flagsOf(userId)).toEqual(expected)
  })

  test('omit the read flag if the unread users are unknown', () => {
    expect(flagsOf(9, { unread_user_ids: null })).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned'])
  })
})

test('deletions are delivered one by one to clients that don’t support lists', () => {
  const payload = {
    message_ids: [5, 6],
    channel: null,
    moved_to: null,
    concerns_subscribers: false,
    user_ids: [7],
  }
  const eventsFor = (inBulk: boolean) => {
    const queue = queueOf(7, Role.member, [], inBulk)
    const { list, write } = presentMessagesDeleted.presentation
    return list(payload, queue, new Map()).map(
      ({ index }) =>
        JSON.parse(`{${write(payload, index, toRenderedQueue(queue.record), new Map())}}`) as unknown,
    )
  }
  const deletion = { type: 'delete_message', message_type: 'private' }
  expect(eventsFor(true)).toEqual([{ ...deletion, message_ids: [5, 6] }])
  expect(eventsFor(false)).toEqual([
    { ...deletion, message_id: 5 },
    { ...deletion, message_id: 6 },
  ])
})
