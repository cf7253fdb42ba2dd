import { z } from 'zod'

/**
 * After so many seconds without activity a user is away. Clients ping every minute. Too short mails users who sit at their desk, too long
 * delays what comes right after they left.
 */
export const AWAY_AFTER_SECONDS = 200

/** Why a user is notified of a message, by mail as on devices, from the strongest reason to the weakest. */
export const commonTriggers = [
  'direct_message',
  'mentioned',
  'topic_wildcard_mentioned_in_followed_topic',
  'stream_wildcard_mentioned_in_followed_topic',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
] as const

/** Why a user is notified of a message by mail, from the strongest reason to the weakest. */
export const notificationTrigger = z.enum([
  ...commonTriggers,
  'followed_topic_email_notify',
  'stream_email_notify',
])
export type NotificationTrigger = z.output<typeof notificationTrigger>

/** A message that a mail is about, by which it is compared again before it is sent. */
export const missedReference = z.object({
  message_id: z.int(),
  trigger: notificationTrigger,
  /** The mentioned group, if the user is mentioned by a group alone. */
  group_id: z.int().nullable(),
})
export type MissedReference = z.output<typeof missedReference>

/** What of a conversation is compared. */
export const comparedConversation = z.object({
  /** The newest of the messages, shown or not, from the oldest to the newest. */
  references: z.array(missedReference),
  /** Messages that are shown before them. */
  context_ids: z.array(z.int()),
  /** Missed messages before those. */
  older_count: z.int(),
})
export type ComparedConversation = z.output<typeof comparedConversation>

/** Messages of one conversation that a user missed: a topic of a channel, or a direct conversation. */
export const missedConversation = z.object({
  kind: z.enum(['direct', 'group', 'channel']),
  /** What mail programs group mails by, together with the topic. */
  recipient_id: z.int(),
  /** Null in direct conversations. */
  channel_name: z.string().nullable(),
  /** As it is stored; empty in direct conversations. */
  topic: z.string(),
  /** Names of the others in a direct conversation, as the user sees them. */
  participants: z.array(z.string()),
  /** The path of the conversation in the web client. */
  path: z.string(),
  trigger: notificationTrigger,
  /** The mentioned group, if the user is mentioned by a group alone. */
  group_name: z.string().nullable(),
  /** From the oldest to the newest. */
  messages: z.array(
    z.object({
      sender_name: z.string(),
      /** Markdown with absolute links and without spoilers. */
      text: z.string(),
      /** HTML for mail programs: absolute links, and nothing hidden. */
      html: z.string(),
      /** It isn't missed, but was written right before a mention, and helps to understand that. */
      is_context: z.boolean().optional(),
    }),
  ),
  /** The newest message, whose conversation a reply by mail goes to. Missing in calls of the release before. */
  newest_message_id: z.int().optional(),
  /** By which it is compared before it is sent. Missing in calls of the release before. */
  ...comparedConversation.partial().shape,
  /** Earlier messages that are left out because there are too many. */
  omitted_count: z.int(),
})
export type MissedConversation = z.output<typeof missedConversation>

/** What a user missed within their batching period. */
export const missedMessages = z.object({
  batch_id: z.uuid(),
  realm_id: z.int(),
  user_id: z.int(),
  conversations: z.array(missedConversation),
  /** Conversations that are left out because there are too many. */
  further_count: z.int(),
  /** When this was so, in milliseconds since 1970. Missing in calls of the release before. */
  described_at: z.int().optional(),
})
export type MissedMessages = z.output<typeof missedMessages>

/**
 * `queued`: mails were queued. `repeated`: the batch was handed over before. `unwanted`: the account is inactive, or
 * has turned such mails off. `limited`: the user has had as many mails as a day may bring.
 */
export const missedMessagesOutcome = z.enum(['queued', 'repeated', 'unwanted', 'limited'])
