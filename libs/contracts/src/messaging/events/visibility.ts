import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { viewersOf } from '../channel-audience.ts'
import { channelRecord } from '../records.ts'

const channelWithoutTraffic = channelRecord.omit({ stream_weekly_traffic: true })

/**
 * A user's role is another, and with it which channels they see without being subscribed. From its place in the log
 * on, messaging tells them what the new role sees. Many channels make several of these.
 */
export const channelVisibilityChanged = domainEvent({
  name: 'messaging.channel_visibility_changed.v1',
  producer: 'messaging',
  summary: "A user's role changed, and with it which channels they see",
  payload: z.object({
    user_id: z.int(),
    role: z.int(),
    /** Channels that only the new role sees, with everyone in them; who is subscribed sees them anyway. */
    gained: z.array(z.object({ channel: channelRecord, subscribers: z.array(z.int()) })),
    /** Channels that only the old role saw. */
    lost: z.array(channelRecord),
    /** The default channels as the new role sees them, by name; null where they are the same as before. */
    default_channels: z.array(channelWithoutTraffic).nullable(),
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
})

/**
 * A subscriber was deactivated, or is back: one event per channel. They stay subscribed, but nobody sees them among
 * the subscribers meanwhile.
 */
export const subscriberActivityChanged = domainEvent({
  name: 'messaging.subscriber_activity_changed.v1',
  producer: 'messaging',
  summary: 'A subscriber was deactivated or reactivated',
  payload: z.object({ channel: channelRecord, user_id: z.int(), is_active: z.boolean() }),
  audience: ({ channel }) => viewersOf(channel),
})
