import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { viewersOf } from '../channel-audience.ts'
import { channelGrantees, channelRecord, subscriptionSettings } from '../records.ts'

/**
 * One event per channel. New subscribers receive the whole subscription; everyone else who can see the channel
 * receives their IDs. `subscribers` is the whole list after the change.
 */
export const subscribersAdded = domainEvent({
  name: 'messaging.subscribers_added.v1',
  producer: 'messaging',
  summary: 'Users were subscribed to a channel',
  payload: z.object({
    channel: channelRecord,
    added: z.array(z.object({ user_id: z.int(), settings: subscriptionSettings })),
    subscribers: z.array(z.int()),
    /** Who sees it by a permission; only present if anybody does. */
    viewers: channelGrantees.optional(),
  }),
  audience: ({ channel, added, viewers }) => [
    { kind: 'users', userIds: added.map(({ user_id }) => user_id) },
    ...viewersOf(channel, viewers),
  ],
  audit: {
    actions: { channel_member_added: 'A user was subscribed to a channel' },
    entries: ({ channel, added }) => [
      {
        action: 'channel_member_added',
        target: { type: 'user', ids: added.map(({ user_id }) => user_id) },
        channelId: channel.stream_id,
      },
    ],
  },
})

/** One event per channel. */
export const subscribersRemoved = domainEvent({
  name: 'messaging.subscribers_removed.v1',
  producer: 'messaging',
  summary: 'Users were unsubscribed from a channel',
  payload: z.object({
    channel: channelRecord,
    user_ids: z.array(z.int()),
    /** From the release before: the channel afterwards, if they were its last subscribers and it was archived; else null. */
    archived: channelRecord.nullable(),
    /** Who sees it by a permission; only present if anybody does. */
    viewers: channelGrantees.optional(),
  }),
  audience: ({ channel, user_ids, viewers }) => [
    { kind: 'users', userIds: user_ids },
    ...viewersOf(channel, viewers),
  ],
  audit: {
    actions: { channel_member_removed: 'A user was unsubscribed from a channel' },
    entries: ({ channel, user_ids }) => [
      {
        action: 'channel_member_removed',
        target: { type: 'user', ids: user_ids },
        channelId: channel.stream_id,
      },
    ],
  },
})

/** One setting of one user for one channel. */
export const subscriptionUpdated = domainEvent({
  name: 'messaging.subscription_updated.v1',
  producer: 'messaging',
  summary: "A user's settings for a channel changed",
  payload: z.object({
    user_id: z.int(),
    stream_id: z.int(),
    property: subscriptionSettings.omit({ in_home_view: true }).keyof(),
    value: z.union([z.boolean(), z.string()]),
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: "A user's own view of a channel." },
})
