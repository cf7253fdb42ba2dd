import { z } from 'zod'
import { channelRecord, mutedTopic, subscriptionRecord, userTopic } from '../../messaging/records.ts'
import { groupSettingValue } from '../../permissions/group-setting-value.ts'
import { clientEvent } from './client-event.ts'

const streams = z.array(channelRecord)
const peers = { stream_ids: z.array(z.int()), user_ids: z.array(z.int()) }

/** Events about channels, topics and subscribers. */
export const channelEvents = [
  clientEvent('stream create', 'Channels were created, or became visible to you', { streams }),
  clientEvent('stream delete', 'Channels were archived, or are no longer visible to you', {
    stream_ids: z.array(z.int()),
    streams,
  }),
  clientEvent('stream update', "A channel's setting changed", {
    stream_id: z.int(),
    name: z.string().describe("The channel's name; the old one if the name changed."),
    property: z.string(),
    value: z.union([z.string(), groupSettingValue, z.boolean(), z.null()]),
    rendered_description: z.string().optional().describe('With `description`.'),
    history_public_to_subscribers: z.boolean().optional().describe('With `invite_only`.'),
    is_web_public: z.boolean().optional(),
  }),
  clientEvent('subscription add', 'You were subscribed to channels', {
    subscriptions: z.array(subscriptionRecord),
  }),
  clientEvent('subscription remove', 'You were unsubscribed from channels', {
    subscriptions: z.array(z.object({ stream_id: z.int(), name: z.string() })),
  }),
  clientEvent('subscription update', 'Your setting for a channel changed', {
    stream_id: z.int(),
    property: z.string(),
    value: z.union([z.boolean(), z.string()]),
  }),
  clientEvent('subscription peer_add', 'Others were subscribed to channels', peers),
  clientEvent('subscription peer_remove', 'Others were unsubscribed from channels', peers),
  clientEvent('default_streams', 'The channels that new users join changed', {
    default_streams: z.array(z.int()).describe('IDs of all of them.'),
  }),
  clientEvent('user_topic', 'Your visibility policy for a topic changed', userTopic.shape),
  clientEvent(
    'muted_topics',
    'The list of your muted topics changed; `user_topic` contains the same change',
    {
      muted_topics: z.array(mutedTopic).describe('All of them.'),
    },
  ),
]
