import type { RealmProjection, SubmessageRecord } from '@tms/contracts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import { isMeMessage } from '../kernel/text/content.rules.ts'
import { describeMessage, type MessageTarget } from './message-record.ts'
import { flagsByUser, flagsOfAll, type MessageSentWithoutId } from './message-sent-event.ts'
import type { NotifiedUsers } from './persist-message.ts'
import type { SendRequest } from './send-request.ts'
import type { NewMessage } from './store-statement.queries.ts'

/** A message that has passed every check, before it is stored. */
export interface MessageContent {
  readonly sender: KnownUser
  readonly realm: RealmProjection
  readonly recipientId: number
  readonly target: MessageTarget
  /** Empty for a direct message. */
  readonly topic: string
  readonly content: string
  readonly rendered: Rendered
  readonly sentAt: Date
  /** Name of the client program. */
  readonly client: string
  readonly echo: SendRequest['echo']
  readonly isPublicChannel: boolean
  /** The sender is a user outside the channel, in an organization that restricts guest visibility. */
  readonly isSenderOutside?: boolean
  /** Recipients with the message stored as read. */
  readonly readerIds: readonly number[]
  readonly notifiedUsers: NotifiedUsers
  /** Participants of the topic if it is mentioned; otherwise empty. */
  readonly participantIds: readonly number[]
}

/** The first submessage of a poll or a to-do list, without the ID of its message. */
export type NewSubmessage = Omit<SubmessageRecord, 'message_id'>

/** Builds the row to store and its event, both without the ID of the message. */
export function composeMessage(
  messageContent: MessageContent,
  submessage: NewSubmessage | null = null,
): { message: NewMessage; event: MessageSentWithoutId } {
  const { sender, target, rendered, content, topic, recipientId, sentAt, client, echo } = messageContent
  const { readerIds, participantIds } = messageContent
  const { mentionedUserIds, alertedUserIds, calledBotIds = [] } = messageContent.notifiedUsers
  const message: NewMessage = {
    realmId: sender.realm_id,
    recipientId,
    channelId: 'channel' in target ? target.channel.id : null,
    senderId: sender.user_id,
    topic,
    content,
    renderedContent: rendered.html,
    sentAt,
    client,
    mentionsChannel: rendered.mentionsChannelWildcard,
    // Direct messages have no topic, so there are no participants.
    mentionsTopic: 'channel' in target && rendered.mentionsTopicWildcard,
    readerIds,
    mentionedUserIds,
    alertedUserIds,
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
    message: Object.assign(describeMessage(metadata, target, sender, messageContent.realm), {
      content: rendered.html,
      content_type: 'text/html' as const,
      submessages: submessage ? [submessage] : [],
    }),
    rest: {
      raw_content: content,
      sender_is_gravatar: sender.is_gravatar,
      is_sender_outside: messageContent.isSenderOutside ?? false,
      recipient_user_ids: 'channel' in target ? null : target.users.map(({ user_id }) => user_id),
      is_public_channel: messageContent.isPublicChannel,
      ...(calledBotIds.length > 0 ? { called_bot_ids: [...calledBotIds] } : {}),
      flags_by_user: flagsByUser({
        readerIds,
        mentionedUserIds,
        alertedUserIds,
        participantIds,
        calledBotIds,
      }),
      flags_of_all: flagsOfAll(message),
      sender_queue_id: echo?.queueId ?? null,
      local_id: echo?.localId ?? null,
    },
  }
  return { message, event }
}
