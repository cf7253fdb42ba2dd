import { z } from 'zod'
import { commonTriggers } from './missed-messages.ts'

/** Why a user is notified of a message on their devices, from the strongest reason to the weakest. */
export const pushTrigger = z.enum([...commonTriggers, 'followed_topic_push_notify', 'stream_push_notify'])
export type PushTrigger = z.output<typeof pushTrigger>

/** A message as a user sees it, for a notification on their devices. */
export const pushedMessage = z.object({
  message_id: z.int(),
  /** UNIX seconds. */
  time: z.int(),
  sender: z.object({
    user_id: z.int(),
    email: z.string(),
    full_name: z.string(),
    /** Absolute. */
    avatar_url: z.string(),
  }),
  /** Null for a direct message. */
  channel: z.object({ channel_id: z.int(), name: z.string(), topic: z.string() }).nullable(),
  /** All members of a direct conversation, the user included, by ID; empty in channels. */
  members: z.array(z.object({ user_id: z.int(), full_name: z.string() })),
  /** The path of the message in the web client. */
  path: z.string(),
  trigger: pushTrigger,
  /** The mentioned group, if the user is mentioned by a group alone. */
  group: z.object({ group_id: z.int(), name: z.string() }).nullable(),
  /** Plain text, of bounded length. */
  content: z.string(),
})
export type PushedMessage = z.output<typeof pushedMessage>

/** What is to appear on a user's devices, or to disappear from them. */
export const pushNotice = z.object({
  notice_id: z.uuid(),
  realm_id: z.int(),
  user_id: z.int(),
  /** Null if messages are to disappear. */
  message: pushedMessage.nullable(),
  removed_message_ids: z.array(z.int()),
  /** Messages that the user was notified of and hasn't read, this one included. */
  unread_count: z.int(),
  /** The message stands for several that waited while the user wanted quiet. */
  waiting: z.object({ messages: z.int(), conversations: z.int() }).optional(),
})
export type PushNotice = z.output<typeof pushNotice>

/**
 * `queued`: it will be sent to the user's devices. `repeated`: it was handed over before. `unwanted`: the account is
 * inactive, or wants none. `no_devices`: the user has none any more. `limited`: the user has had as many as an hour may
 * bring.
 */
export const pushOutcome = z.enum(['queued', 'repeated', 'unwanted', 'no_devices', 'limited'])
export type PushOutcome = z.output<typeof pushOutcome>

/** What a push relay service says about an organization. */
export const pushState = z.object({
  realm_id: z.int(),
  can_push: z.boolean(),
  /** UNIX seconds; null if no end is known. */
  expected_end_timestamp: z.int().nullable(),
})
export type PushState = z.output<typeof pushState>
