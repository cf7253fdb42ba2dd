import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { viewersOf } from '../channel-audience.ts'
import { channelGrantees, channelRecord } from '../records.ts'

/**
 * A user's role changed, and with it the channels that they see without being subscribed. From this event's position
 * in the log on, messaging's events go to the user according to the new role. Many channels are split over several of
 * these events.
 */
export const channelVisibilityChanged = domainEvent({
  name: 'messaging.channel_visibility_changed.v1',
  producer: 'messaging',
  summary: "A user's role changed, and with it the channels that they can see",
  payload: z.object({
    user_id: z.int(),
    role: z.int(),
    /**
     * Channels that only the new role can see, with their subscribers; not those that the user is subscribed to,
     * which stay visible.
     */
    gained: z.array(z.object({ channel: channelRecord, subscribers: z.array(z.int()) })),
    /** Channels that only the old role could see. */
    lost: z.array(channelRecord),
    /** The default channels that the new role can see, ascending; null if they are the same as before. */
    default_channel_ids: z.array(z.int()).nullable(),
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'It follows from the change of a role, which has its entry.' },
})

/**
 * A subscriber was deactivated or reactivated: one event per channel. Deactivated users stay subscribed, but aren't
 * shown among the subscribers.
 */
export const subscriberActivityChanged = domainEvent({
  name: 'messaging.subscriber_activity_changed.v1',
  producer: 'messaging',
  summary: 'A subscriber was deactivated or reactivated',
  payload: z.object({
    channel: channelRecord,
    user_id: z.int(),
    is_active: z.boolean(),
    /** Who sees the channel by a permission; only present if anybody does. */
    viewers: channelGrantees.optional(),
  }),
  audience: ({ channel, viewers }) => viewersOf(channel, viewers),
  audit: { none: 'It follows from a deactivation or reactivation, which has its entry.' },
})
