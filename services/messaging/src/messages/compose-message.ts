import type { RealmProjection, SubmessageRecord } from '@tms/contracts'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { NewMessage } from '../kernel/messages/new-message.ts'
import type { KnownUser, ShownUser } from '../kernel/projections/projection-reader.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import { isMeMessage } from '../kernel/text/content.rules.ts'
import { flagsByUser, flagsOfAll } from './initial-flags.rules.ts'
import { describeMessage } from './message-record.ts'
import type { MessageSentWithoutId } from './message-sent-event.ts'
import type { NotifiedUsers } from './notified-users.rules.ts'
import type { MessageRequest } from './send-request.ts'
import type { ComposedMessage } from './store-message.queries.ts'

/** What a message says, who sends it and where to, before it is stored. Plain data. */
export interface MessageContent {
  readonly sender: KnownUser
  readonly realm: RealmProjection
  readonly target: { readonly recipientId: number } & (
    | { readonly channel: Pick<Channel, 'id' | 'name' | 'inviteOnly'>; readonly topic: string }
    | { readonly users: readonly ShownUser[] }
  )
  readonly content: string
  readonly rendered: Rendered
  /** Name of the client program. */
  readonly client: string
  readonly echo: MessageRequest['echo']
  /** The sender is a user outside the channel, in an organization that restricts guest visibility. */
  readonly isSenderOutside: boolean
  /** The message is stored as read for these users if they receive it: the sender, and users who muted the sender. */
  readonly readerIds: readonly number[]
}

/** The first submessage of a poll or a to-do list, without the ID of its message. */
export type NewSubmessage = Omit<SubmessageRecord, 'message_id'>

/** What is known of a message only when it is stored. */
interface StoringDetails {
  readonly sentAt: Date
  readonly notified: NotifiedUsers
  readonly submessage: NewSubmessage | null
}

/** Builds the row to store and its event. */
export function composeMessage(
  messageContent: MessageContent,
  { sentAt, notified, submessage }: StoringDetails,
): ComposedMessage {
  const { sender, realm, target, rendered, content, client, echo, readerIds } = messageContent
  const { recipientId } = target
  const isChannelMessage = 'channel' in target
  const topic = isChannelMessage ? target.topic : ''
  const message: NewMessage = {
    realmId: sender.realm_id,
    recipientId,
    channelId: isChannelMessage ? target.channel.id : null,
    senderId: sender.user_id,
    topic,
    content,
    renderedContent: rendered.html,
    sentAt,
    client,
    mentionsChannel: rendered.mentionsChannelWildcard,
    // Direct messages have no topic, so there are no participants.
    mentionsTopic: isChannelMessage && rendered.mentionsTopicWildcard,
    readerIds,
    mentionedUserIds: notified.mentionedUserIds,
    alertedUserIds: notified.alertedUserIds,
  }
  const metadata = {
    recipientId,
    topic,
    timestamp: Math.floor(sentAt.getTime() / 1000),
    client,
    isMeMessage: isMeMessage(content),
  }
  const event: MessageSentWithoutId = {
    // `Object.assign`, because spreading would take most of the time of this function, which runs for every
    // message.
    message: Object.assign(describeMessage(metadata, target, sender, realm), {
      content: rendered.html,
      content_type: 'text/html' as const,
      submessages: submessage ? [submessage] : [],
    }),
    raw_content: content,
    sender_is_gravatar: sender.is_gravatar,
    is_sender_outside: messageContent.isSenderOutside,
    recipient_user_ids: isChannelMessage ? null : target.users.map(({ user_id }) => user_id),
    is_public_channel: isChannelMessage && !target.channel.inviteOnly,
    ...(notified.calledBotIds.length > 0 ? { called_bot_ids: [...notified.calledBotIds] } : {}),
    flags_by_user: flagsByUser(readerIds, notified),
    flags_of_all: flagsOfAll(message),
    sender_queue_id: echo?.queueId ?? null,
    local_id: echo?.localId ?? null,
  }
  return { message, event }
}
