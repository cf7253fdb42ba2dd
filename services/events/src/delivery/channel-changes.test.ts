import { type ChannelRecord, domainEvents, type QueueRecord, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { positionOf } from '../kernel/event-id.ts'
import { createQueueState } from '../kernel/queue-state.ts'
import type { LogRecord } from '../log/entry.ts'
import { toRenderedQueue } from '../rendering/presentation.ts'
import { presentationOf } from '../rendering/presentations.ts'
import { applyLogRecord } from './apply.ts'
import { type ApplyContext, createChanges } from './changes.ts'
import { QueueIndex } from './queue-index.ts'

const { channelArchived, channelUpdated, subscribersAdded } = domainEvents.messaging
const CHANNEL = 3

const aChannel = (changes: Partial<ChannelRecord> = {}): ChannelRecord => ({
  stream_id: CHANNEL,
  name: 'general',
  description: 'old',
  rendered_description: '<p>old</p>',
  is_archived: false,
  date_created: 0,
  creator_id: null,
  first_message_id: null,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  stream_post_policy: 1,
  message_retention_days: null,
  can_remove_subscribers_group: 2,
  can_send_message_group: 6,
  can_add_subscribers_group: 8,
  can_subscribe_group: 8,
  can_administer_channel_group: 8,
  is_announcement_only: false,
  stream_weekly_traffic: null,
  is_recently_active: true,
  ...changes,
})
const isPublic = aChannel()
const webPublic = aChannel({ is_web_public: true })
const isPrivate = aChannel({ invite_only: true, history_public_to_subscribers: false })

const aQueue = (role: number, isSubscribed: boolean): QueueRecord => ({
  queue_id: 'q',
  realm_id: 1,
  user_id: 7,
  role,
  channel_role: role,
  event_types: null,
  narrow: [],
  all_public_streams: false,
  apply_markdown: true,
  client_gravatar: true,
  slim_presence: false,
  include_subscribers: false,
  client_capabilities: {} as QueueRecord['client_capabilities'],
  lifespan_seconds: 600,
  channel_ids: isSubscribed ? [CHANNEL] : [],
  guest_visibility: null,
  snapshots: {},
})

const showingArchived = (queue: QueueRecord): QueueRecord => ({
  ...queue,
  client_capabilities: { archived_channels: true } as QueueRecord['client_capabilities'],
})
const archivalOf = (channel: ReturnType<typeof aChannel>) => ({
  channel,
  archived: { ...channel, name: 'old', is_archived: true },
})

/** Applies a domain event. Returns the client events that the queue gets, and its subscription afterwards. */
const apply = (event: string, payload: object, queue: QueueRecord) => {
  const entry = {
    stream: 's',
    source: 'messaging',
    seq: 1,
    xid: 1,
    event,
    realm_id: 1,
    at: 0,
    request_id: null,
    payload,
  } as const
  const record: LogRecord = { offset: 5, entry, body: '', positions: {}, cache: new Map() }
  const context: ApplyContext = { queues: new QueueIndex(), changes: createChanges(), isOurs: () => true }
  context.queues.add(createQueueState(queue))
  applyLogRecord(record, context)
  const ids = context.changes.deliveries.get('q') ?? []
  const events = ids.map((id) =>
    JSON.parse(
      `{${presentationOf(entry).write(payload, positionOf(id).index, toRenderedQueue(queue), record.cache)}}`,
    ),
  ) as Record<string, unknown>[]
  return { ids, events, isSubscribed: context.queues.get('q')?.channelIds.has(CHANNEL) }
}
const kindsOf = (events: readonly Record<string, unknown>[]) =>
  events.map(({ type, op, property }) => [type, op, property].filter(Boolean).join(' '))

const update = (before: ChannelRecord, channel: ChannelRecord, queue: QueueRecord) =>
  apply(channelUpdated.name, { before, channel, subscribers: [8, 9] }, queue).events

describe('messaging.channel_updated', () => {
  const CHANGE = ['stream update invite_only']
  const GAIN = ['stream create', 'subscription peer_add']
  const LOSS = ['stream delete']

  test.each([
    { from: isPublic, to: isPrivate, role: Role.administrator, isSubscribed: false, expected: CHANGE },
    { from: isPublic, to: isPrivate, role: Role.member, isSubscribed: true, expected: CHANGE },
    { from: isPublic, to: isPrivate, role: Role.member, isSubscribed: false, expected: LOSS },
    { from: isPublic, to: isPrivate, role: Role.guest, isSubscribed: true, expected: CHANGE },
    { from: isPublic, to: isPrivate, role: Role.guest, isSubscribed: false, expected: [] },
    { from: isPrivate, to: isPublic, role: Role.administrator, isSubscribed: false, expected: CHANGE },
    { from: isPrivate, to: isPublic, role: Role.member, isSubscribed: true, expected: CHANGE },
    { from: isPrivate, to: isPublic, role: Role.moderator, isSubscribed: false, expected: GAIN },
    { from: isPrivate, to: isPublic, role: Role.guest, isSubscribed: false, expected: [] },
    { from: isPublic, to: webPublic, role: Role.member, isSubscribed: false, expected: CHANGE },
    { from: isPublic, to: webPublic, role: Role.guest, isSubscribed: false, expected: GAIN },
    { from: webPublic, to: isPrivate, role: Role.guest, isSubscribed: false, expected: LOSS },
  ])(
    'role $role, subscribed $isSubscribed: private $from.invite_only, web-public $from.is_web_public becomes $to.invite_only, $to.is_web_public: $expected',
    ({ from, to, role, isSubscribed, expected }) => {
      expect(kindsOf(update(from, to, aQueue(role, isSubscribed)))).toEqual(expected)
    },
  )

  describe('reaches those who see a private channel by a permission', () => {
    const NOBODY = undefined
    const many = Array.from({ length: 100 }, (_, index) => index)
    const US = { role_at_most: 0, user_ids: many }
    const OTHERS = { role_at_most: 0, user_ids: many.filter((id) => id !== 7) }
    const MODERATORS = { role_at_most: Role.moderator, user_ids: [] }
    const renamed = { ...isPrivate, name: 'new' }

    test.each([
      { before: NOBODY, after: US, role: Role.member, expected: GAIN },
      { before: NOBODY, after: US, role: Role.guest, expected: [] },
      { before: US, after: OTHERS, role: Role.member, expected: LOSS },
      { before: OTHERS, after: OTHERS, role: Role.member, expected: [] },
      { before: US, after: US, role: Role.member, expected: ['stream update name'] },
      { before: NOBODY, after: MODERATORS, role: Role.moderator, expected: GAIN },
      { before: NOBODY, after: MODERATORS, role: Role.member, expected: [] },
      { before: MODERATORS, after: US, role: Role.moderator, expected: ['stream update name'] },
      { before: NOBODY, after: US, role: Role.administrator, expected: ['stream update name'] },
    ])('role $role: $expected', ({ before, after, role, expected }) => {
      const payload = {
        before: isPrivate,
        channel: renamed,
        subscribers: [8],
        viewers_before: before,
        viewers: after,
      }

      expect(kindsOf(apply(channelUpdated.name, payload, aQueue(role, false)).events)).toEqual(expected)
      expect(kindsOf(apply(channelUpdated.name, payload, aQueue(role, true)).events)).toEqual([
        'stream update name',
      ])
    })

    test('and nobody else if nothing but the viewers changed', () => {
      const payload = { before: isPrivate, channel: isPrivate, subscribers: [8], viewers: US }

      expect(apply(channelUpdated.name, payload, aQueue(Role.member, true)).events).toEqual([])
      expect(apply(channelUpdated.name, payload, aQueue(Role.owner, false)).events).toEqual([])
    })

    test('with new subscribers', () => {
      const payload = {
        channel: isPrivate,
        added: [{ user_id: 8, settings: {} }],
        subscribers: [8],
        viewers: US,
      }

      const { events } = apply(subscribersAdded.name, payload, aQueue(Role.member, false))
      expect(kindsOf(events)).toEqual(['subscription peer_add'])
    })
  })

  test('has one event per property, with the old name in the event of the name', () => {
    const changed = aChannel({
      name: 'new',
      description: 'd',
      rendered_description: '<p>d</p>',
      stream_post_policy: 4,
      message_retention_days: 30,
      can_remove_subscribers_group: 3,
      first_message_id: 9,
    })

    const events = update(isPublic, changed, aQueue(Role.member, true))

    const common = { type: 'stream', op: 'update', stream_id: CHANNEL, name: 'new' }
    expect(events).toEqual([
      { ...common, name: 'general', property: 'name', value: 'new' },
      { ...common, property: 'description', value: 'd', rendered_description: '<p>d</p>' },
      { ...common, property: 'stream_post_policy', value: 4 },
      { ...common, property: 'is_announcement_only', value: false },
      { ...common, property: 'message_retention_days', value: 30 },
      { ...common, property: 'first_message_id', value: 9 },
      { ...common, property: 'can_remove_subscribers_group', value: 3 },
    ])
  })

  test('presents a change of history access as a change of privacy', () => {
    const shared = aChannel({ invite_only: true })
    expect(update(isPrivate, shared, aQueue(Role.member, true))).toMatchObject([
      { property: 'invite_only', value: true, history_public_to_subscribers: true, is_web_public: false },
    ])
  })
})

describe('messaging.channel_archived', () => {
  test.each([
    { channel: isPublic, role: Role.member, isSubscribed: false, expected: ['stream delete'] },
    { channel: isPrivate, role: Role.member, isSubscribed: true, expected: ['stream delete'] },
    { channel: isPrivate, role: Role.member, isSubscribed: false, expected: [] },
    { channel: isPrivate, role: Role.administrator, isSubscribed: false, expected: ['stream delete'] },
    { channel: isPublic, role: Role.guest, isSubscribed: false, expected: [] },
  ])(
    'role $role, subscribed $isSubscribed, private $channel.invite_only: $expected, and no subscription is left',
    ({ channel, role, isSubscribed, expected }) => {
      const result = apply(channelArchived.name, archivalOf(channel), aQueue(role, isSubscribed))

      expect(kindsOf(result.events)).toEqual(expected)
      expect(result.isSubscribed).toBe(false)
    },
  )

  test.each([
    { channel: isPublic, role: Role.member, isSubscribed: false },
    { channel: isPrivate, role: Role.member, isSubscribed: true },
  ])('changes a channel of a client that shows archived ones: role $role', ({ channel, ...owner }) => {
    const queue = showingArchived(aQueue(owner.role, owner.isSubscribed))
    const result = apply(channelArchived.name, archivalOf(channel), queue)

    expect(result.events).toMatchObject([
      { type: 'stream', op: 'update', name: channel.name, property: 'name', value: 'old' },
      { type: 'stream', op: 'update', name: 'old', property: 'is_archived', value: true },
    ])
    expect(result.isSubscribed).toBe(owner.isSubscribed)
  })
})

describe('a change of an archived channel', () => {
  const archived = aChannel({ is_archived: true })
  const closed = aChannel({ is_archived: true, invite_only: true })

  test('reaches only clients that show archived channels', () => {
    const payload = { before: archived, channel: closed, subscribers: [] }
    const queue = aQueue(Role.member, true)

    expect(apply(channelUpdated.name, payload, queue).events).toEqual([])
    expect(apply(channelUpdated.name, payload, showingArchived(queue)).events).toMatchObject([
      { property: 'invite_only', value: true },
    ])
  })

  test('subscribes only queues of clients that show archived channels', () => {
    const payload = { channel: archived, added: [{ user_id: 7, settings: {} }], subscribers: [7] }
    const queue = aQueue(Role.member, false)

    const others = apply(subscribersAdded.name, payload, queue)
    expect([others.events, others.isSubscribed]).toEqual([[], false])
    const shown = apply(subscribersAdded.name, payload, showingArchived(queue))
    expect(kindsOf(shown.events)).toEqual(['subscription add'])
    expect(shown.isSubscribed).toBe(true)
  })
})
