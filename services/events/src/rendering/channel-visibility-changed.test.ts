import { type ChannelRecord, domainEvents, type PayloadOf, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createQueueState, type QueueState } from '../partitions/queue-state.ts'
import { presentChannelVisibilityChanged } from './channel-visibility-changed.ts'
import { asRendered, type NamedPresentation } from './presentation.ts'
import { presentSubscriberActivityChanged } from './subscriber-activity-changed.ts'

const aChannel = (stream_id: number, changes: object = {}) =>
  ({ stream_id, invite_only: false, is_web_public: false, ...changes }) as ChannelRecord
const aQueue = (channelIds: number[], role: number = Role.member, userId = 7): QueueState =>
  createQueueState({
    user_id: userId,
    channel_role: role,
    channel_ids: channelIds,
    narrow: [],
    event_types: null,
    snapshots: {},
  } as never)

const eventsOf = ({ presentation }: NamedPresentation, payload: unknown, queue: QueueState): unknown[] =>
  presentation.list(payload, queue, new Map()).map(({ index, type }) => {
    const event = JSON.parse(`{${presentation.write(payload, index, asRendered(queue.record), new Map())}}`)
    expect(event.type).toBe(type)
    return event
  })

describe('another role', () => {
  const payload: PayloadOf<typeof domainEvents.messaging.channelVisibilityChanged> = {
    user_id: 7,
    role: Role.member,
    gained: [
      { channel: aChannel(1), subscribers: [8, 9] },
      { channel: aChannel(2), subscribers: [] },
      { channel: aChannel(3), subscribers: [7, 8] },
    ],
    lost: [aChannel(4), aChannel(5)],
    default_channels: [aChannel(1)],
  }

  test('shows channels with who is in them, and hides others, but for those that are subscribed', () => {
    expect(eventsOf(presentChannelVisibilityChanged, payload, aQueue([3, 4]))).toEqual([
      { type: 'stream', op: 'create', streams: [aChannel(1)] },
      { type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [8, 9] },
      { type: 'stream', op: 'create', streams: [aChannel(2)] },
      { type: 'stream', op: 'delete', streams: [aChannel(5)] },
      { type: 'default_streams', default_streams: [aChannel(1)] },
    ])
  })

  test('says nothing to clients where it sees the same', () => {
    const same = { ...payload, gained: [], lost: [], default_channels: null }

    expect(eventsOf(presentChannelVisibilityChanged, same, aQueue([]))).toEqual([])
  })
})

describe('a subscriber who goes and comes back', () => {
  const payload = { channel: aChannel(1, { invite_only: true }), user_id: 9, is_active: false }
  const gone = { type: 'subscription', op: 'peer_remove', stream_ids: [1], user_ids: [9] }

  test.each([
    ['a subscriber', aQueue([1]), [gone]],
    ['an administrator', aQueue([], Role.administrator), [gone]],
    ['a member who isn’t in the private channel', aQueue([]), []],
    ['themselves', aQueue([1], Role.member, 9), []],
  ])('is told to %s', (_, queue, told) => {
    expect(eventsOf(presentSubscriberActivityChanged, payload, queue)).toEqual(told)
  })

  test('is among the others again', () => {
    const back = { ...payload, is_active: true }

    expect(eventsOf(presentSubscriberActivityChanged, back, aQueue([1]))).toEqual([
      { ...gone, op: 'peer_add' },
    ])
  })
})
