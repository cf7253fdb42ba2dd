import { z } from 'zod'
import { limits } from '../declarations/limits.ts'
import { reactionType } from '../emoji/reaction-type.ts'
import { channelPermissionValues, editHistoryEntry } from './records.ts'

/** Larger IDs would leave the importing installation no room for its own. */
const MAX_ID = 2 ** 48

const id = z.int().positive().max(MAX_ID)
/** 0 if there was nothing before. */
const idOrNone = z.int().min(0).max(MAX_ID)
const time = z.number().describe('UNIX seconds, with as many decimals as are known.')
/** The text of a message, as `POST /messages` takes it. */
const markdown = z
  .string()
  .refine((text) => [...text].length <= limits.maxMessageLength, {
    error: `has more than ${limits.maxMessageLength} characters`,
  })
  .describe('Markdown.')
const idRanges = z
  .array(z.tuple([idOrNone.nullable(), idOrNone.nullable()]))
  .describe('Ranges of message IDs, each with its first and last; null means unbounded on that side.')

/** A sequence of messages with one order: a channel or a direct conversation. */
const sequence = {
  recipient_id: id.describe('Its ID in the `recipient_id` of its messages.'),
  first_message_id: id
    .nullable()
    .describe('The first existing message, or the ID reserved for the first one; null if there is neither.'),
  last_message_id: idOrNone.describe('The last message ever sent; 0 before the first.'),
}

const channel = z
  .strictObject({
    kind: z.literal('channel'),
    stream_id: id,
    ...sequence,
    name: z.string(),
    description: z.string().describe('Markdown.'),
    rendered_description: z.string().describe('HTML.'),
    date_created: time,
    creator_id: id.nullable(),
    invite_only: z.boolean(),
    is_web_public: z.boolean(),
    history_public_to_subscribers: z.boolean(),
    permissions: z
      .strictObject(channelPermissionValues)
      .describe('Who has which permission on the channel: group-setting values.'),
    message_retention_days: z
      .int()
      .nullable()
      .describe("-1 keeps messages forever; null means the organization's setting."),
    is_default: z.boolean().describe('New users are subscribed.'),
    is_archived: z.boolean(),
  })
  .describe(
    'A channel with all its settings. Archived ones are included; private ones not in public exports.',
  )

const conversation = z
  .strictObject({
    kind: z.literal('conversation'),
    ...sequence,
    members: z
      .array(z.strictObject({ user_id: id, read: idRanges }))
      .min(1)
      .describe('All members, by ID, with the messages that they have read.'),
  })
  .describe('A direct conversation. Not in public exports.')

const subscription = z
  .strictObject({
    kind: z.literal('subscription'),
    stream_id: id,
    user_id: id,
    is_active: z
      .boolean()
      .describe('False for users who have left: they keep the messages that they received.'),
    was_subscribed: z
      .boolean()
      .describe(
        'False for users who were never subscribed, but had messages that were moved to the channel.',
      ),
    received: idRanges,
    read: idRanges,
    color: z.string(),
    is_muted: z.boolean(),
    pin_to_top: z.boolean(),
    desktop_notifications: z.boolean().nullable(),
    audible_notifications: z.boolean().nullable(),
    push_notifications: z.boolean().nullable(),
    email_notifications: z.boolean().nullable(),
    wildcard_mentions_notify: z.boolean().nullable(),
  })
  .describe(
    'One user in one channel; null inherits a setting from the user. Public exports contain the subscribers, without received messages and with default settings.',
  )

const message = z
  .strictObject({
    kind: z.literal('message'),
    id,
    recipient_id: id,
    stream_id: id.nullable().describe('Null for a direct message.'),
    previous_message_id: idOrNone.describe(
      'The message before it in the same channel or conversation, which may be deleted; 0 for the first.',
    ),
    sender_id: id,
    topic: z.string().describe('Empty for a direct message, and for the empty topic.'),
    content: markdown,
    rendered_content: z.string().describe('HTML.'),
    timestamp: time,
    client: z.string().describe('The program that sent it.'),
    mentions_channel: z.boolean(),
    mentions_topic: z.boolean(),
    last_edit_timestamp: time.nullable().describe('When its text was last edited; moves do not count.'),
    last_moved_timestamp: time
      .nullable()
      .describe('When it last got another topic or channel; marking a topic as resolved does not count.'),
    edit_history: z
      .array(z.strictObject(editHistoryEntry.shape))
      .nullable()
      .describe(
        'Edits and moves as the API shows them, newest first; null if there were none, in public exports only as far as the organization shows them.',
      ),
  })
  .describe('A message. Those of one channel or conversation come in the order of their IDs.')

const messageFlags = z
  .strictObject({
    kind: z.literal('message_flags'),
    message_id: id,
    user_id: id,
    starred: z.boolean(),
    collapsed: z.boolean(),
    mentioned: z.boolean(),
    has_alert_word: z.boolean(),
    historical: z.boolean(),
  })
  .describe("A user's flags on a message. Not in public exports.")

const reaction = z
  .strictObject({
    kind: z.literal('reaction'),
    message_id: id,
    user_id: id,
    emoji_name: z.string(),
    emoji_code: z.string(),
    reaction_type: reactionType,
    timestamp: time,
  })
  .describe('An emoji on a message.')

const submessage = z
  .strictObject({
    kind: z.literal('submessage'),
    id,
    message_id: id,
    sender_id: id,
    msg_type: z.string(),
    content: z.string().describe('JSON.'),
  })
  .describe('What clients attached to a message: polls, to-do lists, and votes.')

const userTopic = z
  .strictObject({
    kind: z.literal('user_topic'),
    stream_id: id,
    user_id: id,
    topic_name: z.string(),
    visibility_policy: z.int().describe('1 muted, 2 unmuted, 3 followed.'),
    last_updated: time,
  })
  .describe("A user's visibility policy for a topic. Not in public exports.")

const pointer = z
  .strictObject({ kind: z.literal('pointer'), user_id: id, message_id: id })
  .describe('The newest message that a user has viewed, according to older clients. Not in public exports.')

const draft = z
  .strictObject({
    kind: z.literal('draft'),
    id,
    user_id: id,
    type: z.enum(['', 'stream', 'private']),
    to: z.array(z.int()).describe('One channel, or users.'),
    topic: z.string(),
    content: markdown,
    timestamp: z.int().describe('UNIX seconds, as sent by the client.'),
  })
  .describe("A user's draft. Not in public exports.")

const scheduledMessage = z
  .strictObject({
    kind: z.literal('scheduled_message'),
    scheduled_message_id: id,
    sender_id: id,
    stream_id: id.nullable().describe('Null for a direct message.'),
    user_ids: z
      .array(id)
      .nullable()
      .describe(
        'Recipients of a direct message, without the sender unless there is no other; null for a channel.',
      ),
    topic: z.string(),
    content: markdown,
    rendered_content: z.string().describe('HTML.'),
    read_by_sender: z.boolean(),
    client: z.string(),
    scheduled_delivery_timestamp: z.int().describe('UNIX seconds.'),
    failed: z.boolean(),
  })
  .describe(
    'A scheduled message. One that is already due is sent when the organization is opened. Not in public exports.',
  )

/** Size of a picture; absent in archives from before pictures were measured. */
const pixels = z
  .int()
  .positive()
  .max(limits.maxPictureSide)
  .nullable()
  .optional()
  .describe('Of a picture, in pixels, as it is shown; null if unknown.')

const attachment = z
  .strictObject({
    kind: z.literal('attachment'),
    id,
    owner_id: id,
    path_id: z.string().describe('The URL without `/user_uploads/`.'),
    name: z.string().describe('Original file name.'),
    content_type: z.string(),
    size: z.int().min(0).describe('Bytes.'),
    create_time: time,
    unused_since: time
      .nullable()
      .describe(
        'Since when no message links it; null if one does. Unused files are deleted after five weeks.',
      ),
    width: pixels,
    height: pixels,
  })
  .describe('An uploaded file. Public exports contain those that a message in them links.')

const attachmentMessage = z
  .strictObject({ kind: z.literal('attachment_message'), attachment_id: id, message_id: id })
  .describe('A message links a file.')

const attachmentScheduledMessage = z
  .strictObject({
    kind: z.literal('attachment_scheduled_message'),
    attachment_id: id,
    scheduled_message_id: id,
  })
  .describe('A scheduled message links a file. Not in public exports.')

/** All records of messaging in an export: one record per line, kinds in this order. */
export const messagingRecord = z.discriminatedUnion('kind', [
  channel,
  conversation,
  subscription,
  message,
  messageFlags,
  reaction,
  submessage,
  userTopic,
  pointer,
  draft,
  scheduledMessage,
  attachment,
  attachmentMessage,
  attachmentScheduledMessage,
])
export type MessagingRecord = z.output<typeof messagingRecord>
