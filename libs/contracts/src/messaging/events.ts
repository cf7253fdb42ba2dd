export * from './events/channels.ts'
export * from './events/flags.ts'
export * from './events/messages.ts'
export * from './events/scheduled-messages.ts'
export * from './events/subscriptions.ts'

import { z } from 'zod'
import { type Audience, domainEvent, Role } from '../domain-event.ts'
import {
  attachmentRecord,
  type ChannelRecord,
  channelRecord,
  messageFlag,
  messageRecord,
  subscriptionSettings,
} from './records.ts'

/** Delivered in the order of message IDs per channel and per direct conversation. */
export const messageSent = domainEvent({
  name: 'messaging.message_sent.v1',
  producer: 'messaging',
  summary: 'A message was sent',
  payload: z.object({
    /** `content` is the HTML; `content_type` is text/html. */
    message: messageRecord,
    /** The raw text, for clients that did not ask for HTML. */
    raw_content: z.string(),
    /** Clients that compute gravatars get a null avatar_url. */
    sender_is_gravatar: z.boolean(),
    /** Who holds a direct message; null for a channel message. */
    recipient_user_ids: z.array(z.int()).nullable(),
    /** True when people who listen to all public channels may see it. */
    is_public_channel: z.boolean(),
    /** Flags at birth, of the few users who have any (the sender who has read it, those mentioned). */
    flags_by_user: z.record(z.string(), z.array(messageFlag)),
    /** Flags at birth of every recipient (wildcard mentions). */
    flags_of_all: z.array(messageFlag),
    /** The sender's queue that asked for `local_id` back. */
    sender_queue_id: z.string().nullable(),
    local_id: z.string().nullable(),
  }),
  audience: ({ message, recipient_user_ids, is_public_channel }): Audience => {
    if (recipient_user_ids !== null) return [{ kind: 'users', userIds: recipient_user_ids }]
    const subscribers = { kind: 'channel', channelId: message.stream_id ?? 0 } as const
    return is_public_channel ? [subscribers, { kind: 'public_listeners' }] : [subscribers]
  },
})

/** Users who see who is subscribed: those whose role suffices, and the subscribers. */
function viewersOf(channel: ChannelRecord): Audience {
  const subscribers = { kind: 'channel', channelId: channel.stream_id } as const
  return [subscribers, ...seersOf(channel)]
}

function seersOf(channel: ChannelRecord): Audience {
  if (channel.is_web_public) return [{ kind: 'realm' }]
  return [{ kind: 'realm', roleAtMost: channel.invite_only ? Role.administrator : Role.member }]
}

/**
 * One event per channel. New subscribers get the whole subscription; everyone else who sees the channel
 * learns of them. `subscribers` is the whole list after the change.
 */
export const subscribersAdded = domainEvent({
  name: 'messaging.subscribers_added.v1',
  producer: 'messaging',
  summary: 'Users were subscribed to a channel',
  payload: z.object({
    channel: channelRecord,
    added: z.array(z.object({ user_id: z.int(), settings: subscriptionSettings })),
    subscribers: z.array(z.int()),
  }),
  audience: ({ channel, added }) => [
    { kind: 'users', userIds: added.map(({ user_id }) => user_id) },
    ...viewersOf(channel),
  ],
})

/** One event per channel. */
export const subscribersRemoved = domainEvent({
  name: 'messaging.subscribers_removed.v1',
  producer: 'messaging',
  summary: 'Users were unsubscribed from a channel',
  payload: z.object({
    channel: channelRecord,
    user_ids: z.array(z.int()),
    /** They were the last of a private channel, which thereby ended. */
    was_archived: z.boolean(),
  }),
  audience: ({ channel, user_ids }) => [{ kind: 'users', userIds: user_ids }, ...viewersOf(channel)],
})

/**
 * Comes before the first `subscribersAdded` of the channel. Those who only see it by subscribing learn of it
 * from that one.
 */
export const channelCreated = domainEvent({
  name: 'messaging.channel_created.v1',
  producer: 'messaging',
  summary: 'A channel was created',
  payload: z.object({ channel: channelRecord }),
  audience: ({ channel }) => seersOf(channel),
})

export const messageFlagsUpdated = domainEvent({
  name: 'messaging.message_flags_updated.v1',
  producer: 'messaging',
  summary: "One user's flags on messages changed",
  payload: z.object({
    user_id: z.int(),
    op: z.enum(['add', 'remove']),
    flag: messageFlag,
    messages: z.array(z.int()),
    all: z.boolean(),
    /** Only when `read` is removed: where each message is, keyed by its ID. */
    message_details: z.record(z.string(), z.unknown()).optional(),
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
})

/** Of one user's files, and of all files of the organization: bytes. */
const uploadSpace = { user_id: z.int(), upload_space_used: z.int() }
const ofUser = ({ user_id }: { user_id: number }): Audience => [{ kind: 'users', userIds: [user_id] }]

export const attachmentAdded = domainEvent({
  name: 'messaging.attachment_added.v1',
  producer: 'messaging',
  summary: 'A file was uploaded',
  payload: z.object({ ...uploadSpace, attachment: attachmentRecord }),
  audience: ofUser,
})

/** To the user whose message it is. */
export const attachmentUpdated = domainEvent({
  name: 'messaging.attachment_updated.v1',
  producer: 'messaging',
  summary: 'Which messages link a file changed',
  payload: z.object({ ...uploadSpace, attachment: attachmentRecord }),
  audience: ofUser,
})

export const attachmentRemoved = domainEvent({
  name: 'messaging.attachment_removed.v1',
  producer: 'messaging',
  summary: 'A file was deleted',
  payload: z.object({ ...uploadSpace, attachment_id: z.int() }),
  audience: ofUser,
})
export * from './events/topics.ts'
export * from './events/typing.ts'
