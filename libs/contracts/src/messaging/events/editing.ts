import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { channelGrantees, messageFlag, propagateMode } from '../records.ts'

/** Properties of a channel that determine who can read it. */
const channelReadAccess = z.object({
  id: z.int(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  /** Whether subscribers see messages that they never received. */
  shares_history: z.boolean(),
  /** Who reads it by a permission; only present if anybody does and it matters. */
  readers: channelGrantees.optional(),
})

const topicLinks = z.array(z.object({ text: z.string(), url: z.string() }))

/**
 * A message's text changed, or messages moved. The audience is everyone who has and could see them and, if the
 * history is shared, all subscribers; after a move to another channel, only users who can read it there (others
 * receive `messagesDeleted`).
 */
export const messageUpdated = domainEvent({
  name: 'messaging.message_updated.v1',
  producer: 'messaging',
  summary: 'A message was edited, or messages were moved',
  payload: z.object({
    /** The fields of the client event that are the same for everyone. */
    update: z.object({
      /** Null if only the rendering changed. */
      user_id: z.int().nullable(),
      rendering_only: z.boolean(),
      message_id: z.int(),
      /** All changed messages, ascending. */
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
      is_me_message: z.boolean().optional(),
    }),
    /** The channel before the change; null for a direct message. */
    channel: channelReadAccess.nullable(),
    /** The new channel; null unless the channel changed. */
    new_channel: channelReadAccess.nullable(),
    /**
     * The new position, sent instead of the old and the new one to users who could not see the old channel. Null
     * unless the channel changed; absent in events of older releases.
     */
    arrival: z
      .object({ stream_id: z.int(), stream_name: z.string(), subject: z.string(), topic_links: topicLinks })
      .nullable()
      .optional(),
    /**
     * Users who have the message and aren't covered by the channels' subscriptions: all of them for direct messages
     * and protected histories.
     */
    holder_ids: z.array(z.int()),
    /** Flags on `message_id` of the few users who have any, without `read`. */
    flags_by_user: z.record(z.string(), z.array(messageFlag)),
    /** Flags on `message_id` of everyone who has it. */
    flags_of_all: z.array(messageFlag),
    /**
     * Users who have not read `message_id`. Null in a channel of more than 10,000 subscribers, where read states
     * aren't included.
     */
    unread_user_ids: z.array(z.int()).nullable(),
  }),
  audience: ({ channel, new_channel, holder_ids }) => [
    { kind: 'users', userIds: holder_ids },
    ...(channel?.shares_history ? [{ kind: 'channel', channelId: channel.id } as const] : []),
    ...(new_channel ? [{ kind: 'channel', channelId: new_channel.id } as const] : []),
  ],
  audit: { none: 'A message is content; its edits and moves have a history of their own.' },
})

/** Messages were deleted, or moved to a channel that some of their readers can't read. At most 1,000 at once. */
export const messagesDeleted = domainEvent({
  name: 'messaging.messages_deleted.v1',
  producer: 'messaging',
  summary: 'Messages were deleted, or moved to where some users cannot read them',
  payload: z.object({
    /** Ascending. */
    message_ids: z.array(z.int()),
    /** Their channel and topic; null for direct messages. */
    channel: z.object({ id: z.int(), topic: z.string() }).nullable(),
    /** The new channel; only users who can't read it receive the event. Null if they were deleted. */
    moved_to: channelReadAccess.nullable(),
    /** Whether all subscribers of `channel` are in the audience. */
    concerns_subscribers: z.boolean(),
    /**
     * Further users: members of direct conversations, users who have the messages without being subscribed, and the
     * user who deleted them.
     */
    user_ids: z.array(z.int()),
  }),
  audience: ({ channel, concerns_subscribers, user_ids }) => [
    { kind: 'users', userIds: user_ids },
    ...(channel && concerns_subscribers ? [{ kind: 'channel', channelId: channel.id } as const] : []),
  ],
  audit: {
    actions: { messages_deleted: 'Messages were deleted, by a user or because their time was over' },
    entries: ({ message_ids, channel, moved_to }) =>
      moved_to === null
        ? [
            {
              action: 'messages_deleted',
              ...(message_ids.length === 1 ? { target: { type: 'message', ids: message_ids } } : {}),
              ...(channel ? { channelId: channel.id } : {}),
              details: { message_ids },
            },
          ]
        : [],
  },
})
