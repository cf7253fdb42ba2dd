import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { messageFlag, propagateMode } from '../records.ts'

/** Who may read a channel, as far as a queue's owner can be told apart by it. */
const reach = z.object({
  id: z.int(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  /** Subscribers see what they never received. */
  shares_history: z.boolean(),
})

const topicLinks = z.array(z.object({ text: z.string(), url: z.string() }))

/**
 * A message's text changed, or messages moved. To those who hold and could see them, and where history is shared to
 * everyone subscribed; after a move to another channel, only to those who can read it there (the others are told by
 * `messagesDeleted`).
 */
export const messageUpdated = domainEvent({
  name: 'messaging.message_updated.v1',
  producer: 'messaging',
  summary: 'A message was edited, or messages were moved',
  payload: z.object({
    /** The fields of the client event as they are for everyone. */
    update: z.object({
      /** Null for a change of the rendering alone. */
      user_id: z.int().nullable(),
      rendering_only: z.boolean(),
      message_id: z.int(),
      /** All messages that changed, ascending. */
      message_ids: z.array(z.int()),
      /** UNIX seconds. */
      edit_timestamp: z.int(),
      /** Before the move. */
      stream_id: z.int().optional(),
      stream_name: z.string().optional(),
      new_stream_id: z.int().optional(),
      propagate_mode: propagateMode.optional(),
      orig_subject: z.string().optional(),
      subject: z.string().optional(),
      topic_links: topicLinks.optional(),
      content: z.string().optional(),
      rendered_content: z.string().optional(),
      orig_content: z.string().optional(),
      orig_rendered_content: z.string().optional(),
      prev_rendered_content_version: z.int().optional(),
      is_me_message: z.boolean().optional(),
    }),
    /** Where it was; null for a direct message. */
    channel: reach.nullable(),
    /** Where it is now; null unless the channel changed. */
    new_channel: reach.nullable(),
    /**
     * What is said instead of where it was, and where it is now, to those who could not see it there: that it is in
     * this topic of the new channel. Null unless the channel changed; what an earlier release wrote lacks it.
     */
    arrival: z
      .object({ stream_id: z.int(), stream_name: z.string(), subject: z.string(), topic_links: topicLinks })
      .nullable()
      .optional(),
    /** Holders whom the channels' subscriptions don't tell: of direct messages and protected histories all. */
    holder_ids: z.array(z.int()),
    /** Flags on `message_id` of the few users who have any, without `read`. */
    flags_by_user: z.record(z.string(), z.array(messageFlag)),
    /** Flags on `message_id` of everyone who holds it. */
    flags_of_all: z.array(messageFlag),
    /**
     * Who has not read `message_id`. Null in a channel of more than 10,000 subscribers, where nobody's flags tell
     * whether it is read.
     */
    unread_user_ids: z.array(z.int()).nullable(),
  }),
  audience: ({ channel, new_channel, holder_ids }) => [
    { kind: 'users', userIds: holder_ids },
    ...(channel?.shares_history ? [{ kind: 'channel', channelId: channel.id } as const] : []),
    ...(new_channel ? [{ kind: 'channel', channelId: new_channel.id } as const] : []),
  ],
})

/** Messages are gone: deleted, or moved to where some who had them can't follow. At most 1,000 at once. */
export const messagesDeleted = domainEvent({
  name: 'messaging.messages_deleted.v1',
  producer: 'messaging',
  summary: 'Messages were deleted, or moved out of reach',
  payload: z.object({
    /** Ascending. */
    message_ids: z.array(z.int()),
    /** Where they were; null for direct messages. */
    channel: z.object({ id: z.int(), topic: z.string() }).nullable(),
    /** Where they are now; only those who can't read there are told. Null when they were deleted. */
    moved_to: reach.nullable(),
    /** Whether everyone subscribed to `channel` is told. */
    concerns_subscribers: z.boolean(),
    /** Who is told besides: holders of direct messages, who has them without being subscribed, who deleted. */
    user_ids: z.array(z.int()),
  }),
  audience: ({ channel, concerns_subscribers, user_ids }) => [
    { kind: 'users', userIds: user_ids },
    ...(channel && concerns_subscribers ? [{ kind: 'channel', channelId: channel.id } as const] : []),
  ],
})
