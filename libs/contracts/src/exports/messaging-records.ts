import { z } from 'zod'
import { limits } from '../limits.ts'
import { editHistoryEntry, reactionType } from '../messaging/records.ts'

/** Larger ones would leave the installation that takes them no room for its own. */
const MAX_ID = 2 ** 48

const id = z.int().positive().max(MAX_ID)
/** 0 where nothing was before. */
const idOrNone = z.int().min(0).max(MAX_ID)
const time = z.number().describe('UNIX seconds, with as many decimals as are known.')
/** Of a message, as `POST /messages` takes it. */
const markdown = z
  .string()
  .refine((text) => [...text].length <= limits.maxMessageLength, {
    error: `has more than ${limits.maxMessageLength} characters`,
  })
  .describe('Markdown.')
const idRanges = z
  .array(z.tuple([idOrNone.nullable(), idOrNone.nullable()]))
  .describe('Message IDs, as the first and the last of each range; null has no end on that side.')

/** Where messages stand in one order; a channel and a direct conversation are one each. */
const place = {
  recipient_id: id.describe('The place of its messages, which they name.'),
  first_message_id: id
    .nullable()
    .describe('The first message that there is, or that a channel without any will have.'),
  last_message_id: idOrNone.describe('The last message that there ever was; 0 before the first.'),
}

const channel = z
  .strictObject({
    kind: z.literal('channel'),
    stream_id: id,
    ...place,
    name: z.string(),
    description: z.string().describe('Markdown.'),
    rendered_description: z.string().describe('HTML.'),
    date_created: time,
    creator_id: id.nullable(),
    invite_only: z.boolean(),
    is_web_public: z.boolean(),
    history_public_to_subscribers: z.boolean(),
    stream_post_policy: z.int(),
    message_retention_days: z
      .int()
      .nullable()
      .describe('-1 keeps messages for good; null as the organization.'),
    can_remove_subscribers_group: z.int(),
    is_default: z.boolean().describe('New users are subscribed.'),
    is_archived: z.boolean(),
  })
  .describe('A channel with all its settings. Archived ones too; private ones in full exports alone.')

const conversation = z
  .strictObject({
    kind: z.literal('conversation'),
    ...place,
    members: z
      .array(z.strictObject({ user_id: id, read: idRanges }))
      .min(1)
      .describe('Everyone in it, by ID, and what they have read.'),
  })
  .describe('A direct conversation. In full exports alone.')

const subscription = z
  .strictObject({
    kind: z.literal('subscription'),
    stream_id: id,
    user_id: id,
    is_active: z.boolean().describe('False for who has left: they keep what they received.'),
    was_subscribed: z
      .boolean()
      .describe('False for who was never subscribed, but had messages that were moved to the channel.'),
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
    'One user in one channel; null inherits a setting from the user. Public exports have who is subscribed, with nothing received and settings as they are at first.',
  )

const message = z
  .strictObject({
    kind: z.literal('message'),
    id,
    recipient_id: id,
    stream_id: id.nullable().describe('Null for a direct message.'),
    previous_message_id: idOrNone.describe(
      'The one before it in its place, which may be gone; 0 for the first.',
    ),
    sender_id: id,
    topic: z.string().describe('Empty for a direct message.'),
    content: markdown,
    rendered_content: z.string().describe('HTML.'),
    timestamp: time,
    client: z.string().describe('The program that sent it.'),
    mentions_channel: z.boolean(),
    mentions_topic: z.boolean(),
    last_edit_timestamp: time.nullable(),
    edit_history: z
      .array(z.strictObject(editHistoryEntry.shape))
      .nullable()
      .describe(
        'Edits and moves as the API shows them, newest first; null if there were none, and in public exports where the organization hides them.',
      ),
  })
  .describe('A message. Those of one place follow each other in the order of their IDs.')

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
  .describe('What is special about a message for one user. In full exports alone.')

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
  .describe('How a user wants to see a topic. In full exports alone.')

const pointer = z
  .strictObject({ kind: z.literal('pointer'), user_id: id, message_id: id })
  .describe('The newest message that a user has been at, as older clients say. In full exports alone.')

const draft = z
  .strictObject({
    kind: z.literal('draft'),
    id,
    user_id: id,
    type: z.enum(['', 'stream', 'private']),
    to: z.array(z.int()).describe('One channel, or users.'),
    topic: z.string(),
    content: markdown,
    timestamp: z.int().describe('UNIX seconds, as the client said.'),
  })
  .describe('What a user has begun to write. In full exports alone.')

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
        'Who gets a direct message, without the sender unless it is for nobody else; null for a channel.',
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
    'A message that waits for its time. What was due meanwhile is sent when the organization is opened. In full exports alone.',
  )

/** Of a picture; archives from before pictures were measured are without it. */
const pixels = z
  .int()
  .positive()
  .max(limits.maxPictureSide)
  .nullable()
  .optional()
  .describe('Of a picture, in pixels, as it is shown; null where that is not known.')

const attachment = z
  .strictObject({
    kind: z.literal('attachment'),
    id,
    owner_id: id,
    path_id: z.string().describe('The URL without `/user_uploads/`.'),
    name: z.string().describe('As it was called where it came from.'),
    content_type: z.string(),
    size: z.int().min(0).describe('Bytes.'),
    create_time: time,
    unused_since: time
      .nullable()
      .describe(
        'Since when no message links it; null while one does. Unused files are deleted after five weeks.',
      ),
    width: pixels,
    height: pixels,
  })
  .describe('An uploaded file. Public exports have those that a message in them links.')

const attachmentMessage = z
  .strictObject({ kind: z.literal('attachment_message'), attachment_id: id, message_id: id })
  .describe('A message links a file.')

const attachmentScheduledMessage = z
  .strictObject({
    kind: z.literal('attachment_scheduled_message'),
    attachment_id: id,
    scheduled_message_id: id,
  })
  .describe('A scheduled message links a file. In full exports alone.')

/** What an export holds of messaging: one record a line, kinds in this order. */
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
