import { z } from 'zod'
import { auditedChanges } from '../../declarations/audit.ts'
import { domainEvent } from '../../declarations/domain-event.ts'
import { defaultChannelViewers, unsubscribedViewersOf, viewersOf } from '../channel-audience.ts'
import { type ChannelRecord, channelGrantees, channelRecord } from '../records.ts'

/** What follows by itself: from messages, from time, or from another property. */
const DERIVED: ReadonlySet<string> = new Set([
  ...[
    'stream_id',
    'rendered_description',
    'date_created',
    'creator_id',
    'first_message_id',
    'stream_post_policy',
  ],
  ...['is_announcement_only', 'stream_weekly_traffic', 'is_recently_active', 'is_archived', 'is_default'],
])
/** What somebody sets of a channel. */
const auditedProperties = (Object.keys(channelRecord.shape) as (keyof ChannelRecord)[]).filter(
  (name) => !DERIVED.has(name),
)

/**
 * Comes before the first `subscribersAdded` of the channel. Users who see it only by subscribing learn of it from
 * that event.
 */
export const channelCreated = domainEvent({
  name: 'messaging.channel_created.v1',
  producer: 'messaging',
  summary: 'A channel was created',
  payload: z.object({
    channel: channelRecord,
    /** Who sees it by a permission; only present if anybody does. */
    viewers: channelGrantees.optional(),
  }),
  audience: ({ channel, viewers }) => unsubscribedViewersOf(channel, viewers),
  audit: {
    actions: { channel_created: 'A channel was created' },
    entries: ({ channel }) => [
      {
        action: 'channel_created',
        target: { type: 'channel', ids: [channel.stream_id] },
        details: { after: Object.fromEntries(auditedProperties.map((name) => [name, channel[name]])) },
      },
    ],
  },
})

/**
 * A channel's settings, or its first message, changed. Users who can see it only now receive it with its subscribers;
 * users who can't see it any more receive its removal.
 */
export const channelUpdated = domainEvent({
  name: 'messaging.channel_updated.v1',
  producer: 'messaging',
  summary: "A channel's settings changed",
  payload: z.object({
    before: channelRecord,
    channel: channelRecord,
    /** All subscribers if the change makes the channel visible to more users; otherwise empty. */
    subscribers: z.array(z.int()),
    /**
     * Who sees the channel by a permission before and afterwards; each only present if anybody does. If nothing else changed,
     * those who see it before and afterwards may be missing.
     */
    viewers_before: channelGrantees.optional(),
    viewers: channelGrantees.optional(),
  }),
  audience: ({ before, channel, viewers_before, viewers }) => [
    ...viewersOf(channel, viewers),
    ...unsubscribedViewersOf(before, viewers_before),
  ],
  audit: {
    actions: { channel_updated: "A channel's name, description, privacy, permissions or retention changed" },
    entries: ({ before, channel }) => {
      const details = auditedChanges(before, channel, auditedProperties)
      return details
        ? [{ action: 'channel_updated', target: { type: 'channel', ids: [channel.stream_id] }, details }]
        : []
    },
  },
})

/**
 * A channel was archived. For clients that don't show archived channels that is its end, with all its subscriptions.
 */
export const channelArchived = domainEvent({
  name: 'messaging.channel_archived.v1',
  producer: 'messaging',
  summary: 'A channel was archived',
  payload: z.object({
    channel: channelRecord,
    /** The channel afterwards. */
    archived: channelRecord,
    /** Who sees it by a permission; only present if anybody does. */
    viewers: channelGrantees.optional(),
  }),
  audience: ({ channel, viewers }) => viewersOf(channel, viewers),
  audit: {
    actions: { channel_archived: 'A channel was archived' },
    entries: ({ channel }) => [
      {
        action: 'channel_archived',
        target: { type: 'channel', ids: [channel.stream_id] },
        details: { name: channel.name },
      },
    ],
  },
})

/** Delivered in an order in which the last list is the current one. */
export const defaultChannelsChanged = domainEvent({
  name: 'messaging.default_channels_changed.v2',
  producer: 'messaging',
  summary: 'The channels that new users join changed',
  payload: z.object({
    /** All of them, ascending. */
    channel_ids: z.array(z.int()),
  }),
  audience: defaultChannelViewers,
  audit: {
    actions: { default_channels_changed: 'The channels that new users join changed' },
    entries: ({ channel_ids }) => [{ action: 'default_channels_changed', details: { after: channel_ids } }],
  },
})
