import { type ChannelRecord, domainEvents, type PayloadOf, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createQueueState, type QueueState } from '../kernel/queue-state.ts'
import { presentChannelVisibilityChanged } from './channel-visibility-changed.ts'
import { type EventPresentation, toRenderedQueue } from './presentation.ts'
import { presentSubscriberActivityChanged } from './subscriber-activity-changed.ts'

const aChannel = (stream_id: number, changes: object = {}) =>
  ({ stream_id, is_archived: false, invite_only: false, is_web_public: false, ...changes }) as ChannelRecord
const aQueue = (channelIds: number[], role: number = Role.member, userId = 7): QueueState =>
  createQueueState({
    user_id: userId,
    channel_role: role,
    channel_ids: channelIds,
    narrow: [],
    event_types: null,
    snapshots: {},
    client_capabilities: {},
  } as never)

const eventsOf = ({ presentation }: EventPresentation, payload: unknown, queue: QueueState): unknown[] =>
  presentation.list(payload, queue, new Map()).map(({ index, type }) => {
    const event = JSON.parse(
      `{${presentation.write(payload, index, toRenderedQueue(queue.record), new Map())}}`,
    )
    expect(event.type).toBe(type)
    return event
  })

describe('a change of role', () => {
  const payload: PayloadOf<typeof domainEvents.messaging.channelVisibilityChanged> = {
    user_id: 7,
    role: Role.member,
    gained: [
      { channel: aChannel(1), subscribers: [8, 9] },
      { channel: aChannel(2), subscribers: [] },
      { channel: aChannel(3), subscribers: [7, 8] },
    ],
    lost: [aChannel(4), aChannel(5)],
    default_channel_ids: [1],
  }

  test('adds and removes visible channels with their subscribers, except subscribed channels', () => {
    expect(eventsOf(presentChannelVisibilityChanged, payload, aQueue([3, 4]))).toEqual([
      { type: 'stream', op: 'create', streams: [aChannel(1)] },
      { type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [8, 9] },
      { type: 'stream', op: 'create', streams: [aChannel(2)] },
      { type: 'stream', op: 'delete', stream_ids: [5], streams: [aChannel(5)] },
      { type: 'default_streams', default_streams: [1] },
    ])
  })

  test('leaves out archived channels unless the client shows them', () => {
    const archived = aChannel(6, { is_archived: true })
    const change = {
      ...payload,
      gained: [{ channel: archived, subscribers: [] }],
      lost: [],
      default_channel_ids: null,
    }
    const showing = aQueue([])
    showing.record.client_capabilities.archived_channels = true

    expect(eventsOf(presentChannelVisibilityChanged, change, aQueue([]))).toEqual([])
    expect(eventsOf(presentChannelVisibilityChanged, change, showing)).toEqual([
      { type: 'stream', op: 'create', streams: [archived] },
    ])
  })

  test('has no events if the same channels stay visible', () => {
    const same = { ...payload, gained: [], lost: [], default_channel_ids: null }

    expect(eventsOf(presentChannelVisibilityChanged, same, aQueue([]))).toEqual([])
  })
})

describe('a subscriber who is deactivated', () => {
  const payload = { channel: aChannel(1, { invite_only: true }), user_id: 9, is_active: false }
  const removal = { type: 'subscription', op: 'peer_remove', stream_ids: [1], user_ids: [9] }

  test.each([
    ['is removed for other subscribers', aQueue([1]), [removal]],
    ['is removed for administrators', aQueue([], Role.administrator), [removal]],
    ['is not removed for a member who isn’t in the private channel', aQueue([]), []],
    ['is not removed for the subscriber’s own queues', aQueue([1], Role.member, 9), []],
  ])('%s', (_, queue, expected) => {
    expect(eventsOf(presentSubscriberActivityChanged, payload, queue)).toEqual(expected)
  })

  test('is added again on reactivation', () => {
    const reactivated = { ...payload, is_active: true }

    expect(eventsOf(presentSubscriberActivityChanged, reactivated, aQueue([1]))).toEqual([
      { ...removal, op: 'peer_add' },
    ])
  })
})
