import { z } from 'zod'

/** A channel as `GET /streams` and `stream` events show it. */
export const channelRecord = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  /** UNIX seconds. */
  date_created: z.int(),
  creator_id: z.int().nullable(),
  first_message_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  stream_post_policy: z.int(),
  message_retention_days: z.int().nullable(),
  can_remove_subscribers_group: z.int(),
  is_announcement_only: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  is_default: z.boolean().optional(),
})
export type ChannelRecord = z.output<typeof channelRecord>

/** One user's settings for one channel; null inherits the user's own setting. */
export const subscriptionSettings = z.object({
  desktop_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  pin_to_top: z.boolean(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  color: z.string(),
})
export type SubscriptionSettings = z.output<typeof subscriptionSettings>

/** The subscription object of the API document: channel and personal settings in one. */
export const subscriptionRecord = channelRecord
  .omit({ is_default: true })
  .extend(subscriptionSettings.shape)
  .extend({ subscribers: z.array(z.int()).optional() })
export type SubscriptionRecord = z.output<typeof subscriptionRecord>

export const messageFlag = z.enum([
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
])
export type MessageFlag = z.output<typeof messageFlag>

export const directRecipient = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})

/** The message record without flags. */
export const messageRecord = z.object({
  id: z.int(),
  sender_id: z.int(),
  recipient_id: z.int(),
  /** UNIX seconds. */
  timestamp: z.int(),
  type: z.enum(['stream', 'private']),
  stream_id: z.int().optional(),
  display_recipient: z.union([z.string(), z.array(directRecipient)]),
  /** The topic under its legacy name; empty for direct messages. */
  subject: z.string(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  is_me_message: z.boolean(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  client: z.string(),
  avatar_url: z.string().nullable(),
  reactions: z.array(z.unknown()),
  submessages: z.array(z.unknown()),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  last_edit_timestamp: z.int().optional(),
})
export type MessageRecord = z.output<typeof messageRecord>

/** An uploaded file as its owner sees it. Times are UNIX milliseconds. */
export const attachmentRecord = z.object({
  id: z.int(),
  /** As it was called where it came from. */
  name: z.string(),
  /** Its URL without `/user_uploads/`. */
  path_id: z.string(),
  /** Bytes. */
  size: z.int(),
  create_time: z.int(),
  /** The messages that link it, the newest of them. */
  messages: z.array(z.object({ id: z.int(), date_sent: z.int() })),
})
export type AttachmentRecord = z.output<typeof attachmentRecord>

/** How a user wants to see a topic, as register shows it. */
export const userTopic = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  visibility_policy: z.int(),
  /** UNIX seconds. */
  last_updated: z.int(),
})
export type UserTopic = z.output<typeof userTopic>

/** A muted topic in the legacy list: the channel's name, the topic, and since when, in UNIX seconds. */
export const mutedTopic = z.tuple([z.string(), z.string(), z.int()])
export type MutedTopic = z.output<typeof mutedTopic>

/** A message that waits for its time, as its sender sees it. */
export const scheduledMessageRecord = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  /** The channel's ID; or the IDs of the users, without the sender unless nobody else is meant. */
  to: z.union([z.int(), z.array(z.int())]),
  /** Absent from direct messages. */
  topic: z.string().optional(),
  content: z.string(),
  rendered_content: z.string(),
  /** UNIX seconds. */
  scheduled_delivery_timestamp: z.int(),
  /** It could not be delivered, and waits for its sender to give it a new time. */
  failed: z.boolean(),
})
export type ScheduledMessageRecord = z.output<typeof scheduledMessageRecord>
