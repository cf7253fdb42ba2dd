import { z } from 'zod'
import { limits } from '../declarations/limits.ts'
import { reactionType } from '../emoji/reaction-type.ts'
import { groupSettingValue } from '../permissions/group-setting-value.ts'
import { type ChannelPermission, channelPermissionNames } from '../permissions/permission-settings.ts'
import type { SettingName } from '../users/settings.ts'

/** The values of all permissions on a channel. */
export const channelPermissionValues = Object.fromEntries(
  channelPermissionNames.map((name) => [name, groupSettingValue]),
) as Record<ChannelPermission, typeof groupSettingValue>

/** A channel as `GET /streams` and `stream` events show it. */
export const channelRecord = z.object({
  stream_id: z.int(),
  name: z.string(),
  is_archived: z.boolean(),
  description: z.string(),
  rendered_description: z.string(),
  /** UNIX seconds. */
  date_created: z.int(),
  creator_id: z.int().nullable(),
  first_message_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  /** The older form of `can_send_message_group`. */
  stream_post_policy: z.int(),
  message_retention_days: z.int().nullable(),
  ...channelPermissionValues,
  is_announcement_only: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  is_recently_active: z
    .boolean()
    .describe('Whether the channel is new, or a message was sent to it in the last 180 days.'),
  is_default: z.boolean().optional(),
})
export type ChannelRecord = z.output<typeof channelRecord>

/**
 * Who sees or reads a private channel by a permission on it, subscribed or not: users of a role, or a more powerful one, and
 * single users. Guests among them see nothing by it.
 */
export const channelGrantees = z.object({
  /** 0 for nobody. */
  role_at_most: z.int(),
  user_ids: z.array(z.int()),
})
export type ChannelGrantees = z.output<typeof channelGrantees>

/** A value of a subscription that is null while the account's setting of this name decides. */
const like = (setting: SettingName, meaning: string) =>
  z.boolean().nullable().describe(`${meaning} Null: as the account's \`${setting}\` says.`)

/** One user's settings for one channel; null inherits the user's own setting. */
export const subscriptionSettings = z.object({
  desktop_notifications: like(
    'enable_stream_desktop_notifications',
    'Whether an open client notifies of all messages. Stored for clients; this service does nothing with it.',
  ),
  email_notifications: like(
    'enable_stream_email_notifications',
    'Whether the user, while away, is mailed all messages; without effect while `enable_offline_email_notifications` of the account is off. False leaves mentions as they are.',
  ),
  wildcard_mentions_notify: like(
    'wildcard_mentions_notify',
    'Whether mentions of everyone notify like mentions by name, by mail and on devices.',
  ),
  push_notifications: like(
    'enable_stream_push_notifications',
    'Whether all messages appear on devices; without effect while `enable_offline_push_notifications` and `enable_online_push_notifications` of the account are both off. False leaves mentions as they are.',
  ),
  audible_notifications: like(
    'enable_stream_audible_notifications',
    'Whether an open client plays a sound for all messages. Stored for clients; this service does nothing with it.',
  ),
  pin_to_top: z
    .boolean()
    .describe('Whether the channel is listed first. Stored for clients; this service does nothing with it.'),
  is_muted: z
    .boolean()
    .describe(
      'Whether the channel is muted: its messages notify nobody, except by mentions by name or with a group, and in topics that are unmuted or followed.',
    ),
  in_home_view: z.boolean().describe('The opposite of `is_muted`, for older clients.'),
  color: z.string().describe('Such as `#c2c2c2`. Stored for clients; this service does nothing with it.'),
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

/** The emoji of a reaction; codes are unique within each `reaction_type`. */
export const reactionEmoji = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: reactionType,
})
export type ReactionEmoji = z.output<typeof reactionEmoji>

/** A reaction in the record of its message. */
export const reactionRecord = reactionEmoji.extend({ user_id: z.int() })
export type ReactionRecord = z.output<typeof reactionRecord>

/** Data that clients attached to a message; `content` is JSON text. */
export const submessageRecord = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  content: z.string(),
})
export type SubmessageRecord = z.output<typeof submessageRecord>
/** Which messages of a topic a move includes. */
export const propagateMode = z.enum(['change_one', 'change_later', 'change_all'])
export type PropagateMode = z.output<typeof propagateMode>

/** One edit or move of a message, as its `edit_history` shows it. */
export const editHistoryEntry = z.object({
  user_id: z.int().nullable(),
  /** UNIX seconds. */
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
})
export type EditHistoryEntry = z.output<typeof editHistoryEntry>

/** Where a message is that somebody edits. */
export const editedRecipient = z.discriminatedUnion('type', [
  z.object({ type: z.literal('channel'), channel_id: z.int(), topic: z.string() }),
  z.object({
    type: z.literal('direct'),
    user_ids: z.array(z.int()).describe('Members of the conversation.'),
  }),
])
export type EditedRecipient = z.output<typeof editedRecipient>

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
  /** The topic under its legacy name; empty for direct messages, and for clients that know the empty topic. */
  subject: z.string(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  is_me_message: z.boolean(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  client: z.string(),
  avatar_url: z.string().nullable(),
  /** Oldest first. */
  reactions: z.array(reactionRecord),
  submessages: z.array(submessageRecord),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  last_edit_timestamp: z.int().optional().describe('When its text was last edited; moves do not count.'),
  last_moved_timestamp: z
    .int()
    .optional()
    .describe('When it last got another topic or channel; marking a topic as resolved does not count.'),
  edit_history: z
    .array(editHistoryEntry)
    .optional()
    .describe(
      `Newest first, up to ${limits.maxEditHistoryKib} KiB in all, but the newest of any length; with nothing but moves, or absent, if the organization hides others.`,
    ),
})
export type MessageRecord = z.output<typeof messageRecord>

/** The message record as its reader has it; matches only if the narrow searches. */
export const fetchedMessage = messageRecord.extend({
  flags: z.array(z.string()),
  /** HTML with the matches of a search in `<span class="highlight">`. */
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
})

/** An uploaded file as its owner sees it. Times are UNIX milliseconds. */
export const attachmentRecord = z.object({
  id: z.int(),
  /** Original file name. */
  name: z.string(),
  /** Its URL without `/user_uploads/`. */
  path_id: z.string(),
  /** Bytes. */
  size: z.int(),
  create_time: z.int(),
  /** The newest messages that link it. */
  messages: z.array(z.object({ id: z.int(), date_sent: z.int() })),
})
export type AttachmentRecord = z.output<typeof attachmentRecord>

/** A user's visibility policy for a topic, as register shows it. */
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

const draftFields = {
  /** Empty if there is no recipient yet. */
  type: z.enum(['', 'stream', 'private']),
  /** One channel, or users; empty if there is no recipient yet. */
  to: z.array(z.int()),
  /** As it was written: empty unless it is for a channel, and for the empty topic. */
  topic: z.string(),
  content: z.string(),
}

/** A draft as its author sees it. */
export const draftRecord = z.object({
  id: z.int(),
  ...draftFields,
  /** UNIX seconds of the last change. */
  timestamp: z.int(),
})
export type DraftRecord = z.output<typeof draftRecord>

/** A draft as a client sends it: no other fields are allowed. */
export const newDraft = z.strictObject({
  ...draftFields,
  to: draftFields.to.describe(
    `One channel, or users: at most ${limits.maxDirectMessageRecipients} beside you. Empty if there is no recipient yet.`,
  ),
  timestamp: z
    .number()
    .nonnegative()
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('UNIX seconds; default now.'),
})
export type NewDraft = z.output<typeof newDraft>
/** A scheduled message as its sender sees it. */
export const scheduledMessageRecord = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  /** The channel's ID; or the IDs of the users, without the sender unless there is no other. */
  to: z.union([z.int(), z.array(z.int())]),
  /** Absent from direct messages. */
  topic: z.string().optional(),
  content: z.string(),
  rendered_content: z.string(),
  /** UNIX seconds. */
  scheduled_delivery_timestamp: z.int(),
  /** Its delivery failed, and it waits for a new time from its sender. */
  failed: z.boolean(),
})
export type ScheduledMessageRecord = z.output<typeof scheduledMessageRecord>
