import { z } from 'zod'
import { domainEvent, Role } from '../../domain-event.ts'
import { seersOf, viewersOf } from '../channel-audience.ts'
import { channelRecord } from '../records.ts'

/**
 * Comes before the first `subscribersAdded` of the channel. Those who only see it by subscribing learn of it
 * from that one.
 */
export const channelCreated = domainEvent({
  name: 'messaging.channel_created.v1',
  producer: 'messaging',
  summary: 'A channel was created',
  payload: z.object({ channel: channelRecord }),
  audience: ({ channel }) => seersOf(channel),
})

/**
 * A channel's settings changed, or which message is its first. Who begins to see it thereby learns of it with
 * everyone in it; who no longer sees it loses it.
 */
export const channelUpdated = domainEvent({
  name: 'messaging.channel_updated.v1',
  producer: 'messaging',
  summary: "A channel's settings changed",
  payload: z.object({
    before: channelRecord,
    channel: channelRecord,
    /** Everyone subscribed, where the change makes more people see the channel; else empty. */
    subscribers: z.array(z.int()),
  }),
  audience: ({ before, channel }) => [...viewersOf(channel), ...seersOf(before)],
})

/** A channel came to an end, and with it all its subscriptions. */
export const channelArchived = domainEvent({
  name: 'messaging.channel_archived.v1',
  producer: 'messaging',
  summary: 'A channel was archived',
  payload: z.object({
    /** As it was before. */
    channel: channelRecord,
  }),
  audience: ({ channel }) => viewersOf(channel),
})

/** Delivered in an order in which the last list is the present one. */
export const defaultChannelsChanged = domainEvent({
  name: 'messaging.default_channels_changed.v1',
  producer: 'messaging',
  summary: 'Which channels new users join changed',
  payload: z.object({
    /** All of them, by name. */
    channels: z.array(channelRecord.omit({ stream_weekly_traffic: true })),
  }),
  audience: () => [{ kind: 'realm', roleAtMost: Role.member }],
})
