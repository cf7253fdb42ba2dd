import { z } from 'zod'
import { type Audience, domainEvent } from '../../declarations/domain-event.ts'
import { messageFlag, messageRecord, submessageRecord } from '../records.ts'

/** Delivered in the order of message IDs per channel and per direct conversation. */
export const messageSent = domainEvent({
  name: 'messaging.message_sent.v1',
  producer: 'messaging',
  summary: 'A message was sent',
  payload: z.object({
    /** `content` is the HTML; `content_type` is text/html. A submessage's `message_id` is the message's ID. */
    message: messageRecord.extend({ submessages: z.array(submessageRecord.omit({ message_id: true })) }),
    /** The raw text, for clients that did not request HTML. */
    raw_content: z.string(),
    /** Clients that compute gravatars receive a null avatar_url. */
    sender_is_gravatar: z.boolean(),
    /** Only present if true: the sender isn't in the channel, so some guests may not see who it is. */
    is_sender_outside: z.boolean().optional(),
    /** Recipients of a direct message; null for a channel message. */
    recipient_user_ids: z.array(z.int()).nullable(),
    /** Whether users who receive all public channels may see it. */
    is_public_channel: z.boolean(),
    /** Only present if not empty: bots that aren't in the channel and receive the message because it mentions them. */
    called_bot_ids: z.array(z.int()).optional(),
    /** Initial flags of the few users who have any (the sender who has read it, mentioned users). */
    flags_by_user: z.record(z.string(), z.array(messageFlag)),
    /** Initial flags of every recipient (wildcard mentions). */
    flags_of_all: z.array(messageFlag),
    /** The sender's queue that requested `local_id` back. */
    sender_queue_id: z.string().nullable(),
    local_id: z.string().nullable(),
  }),
  audience: ({ message, recipient_user_ids, is_public_channel, called_bot_ids }): Audience => {
    if (recipient_user_ids !== null) return [{ kind: 'users', userIds: recipient_user_ids }]
    const subscribers = { kind: 'channel', channelId: message.stream_id ?? 0 } as const
    if (!is_public_channel) return [subscribers]
    const listeners = { kind: 'public_listeners' } as const
    return called_bot_ids === undefined
      ? [subscribers, listeners]
      : [subscribers, listeners, { kind: 'users', userIds: called_bot_ids }]
  },
  audit: { none: 'A message sent is content, not administration; one that came by mail says so itself.' },
})
