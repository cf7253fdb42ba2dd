import type { RealmProjection, SubmessageRecord } from '@tms/contracts'
import type { KnownUser } from '../directory/directory.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import { type Announced, flagsByUser, flagsOfAll } from './announce-message.ts'
import { isMeMessage } from './content.rules.ts'
import type { Reached } from './deliver.ts'
import { describeMessage, type Place } from './message-record.ts'
import type { Outgoing } from './outgoing.ts'
import type { NewMessage } from './store-statement.queries.ts'

/** What a send knows once every check has passed. */
export interface Draft {
  readonly sender: KnownUser
  readonly realm: RealmProjection
  readonly recipientId: number
  readonly place: Place
  /** Empty for a direct message. */
  readonly topic: string
  readonly content: string
  readonly rendered: Rendered
  readonly sentAt: Date
  /** Name of the client program. */
  readonly client: string
  readonly echo: Outgoing['echo']
  readonly isPublicChannel: boolean
  /** A person who isn't in the channel has sent it, where not every guest sees everyone. */
  readonly isSenderOutside?: boolean
  /** Recipients for whom it is born read. */
  readonly readerIds: readonly number[]
  readonly reached: Reached
  /** Whom a topic mention means; empty without one. */
  readonly participantIds: readonly number[]
}

/** What a poll or a list is born with: its submessage, but for the message's ID. */
export type NewSubmessage = Omit<SubmessageRecord, 'message_id'>

/** The row to store and the event that tells of it, both complete but for the ID. */
export function composeMessage(
  draft: Draft,
  submessage: NewSubmessage | null = null,
): { message: NewMessage; announced: Announced } {
  const { sender, place, rendered, content, topic, recipientId, sentAt, client, echo } = draft
  const { readerIds, participantIds } = draft
  const { mentionedUserIds, alertedUserIds, calledBotIds = [] } = draft.reached
  const message: NewMessage = {
    realmId: sender.realm_id,
    recipientId,
    channelId: 'channel' in place ? place.channel.id : null,
    senderId: sender.user_id,
    topic,
    content,
    renderedContent: rendered.html,
    sentAt,
    client,
    mentionsChannel: rendered.mentionsChannelWildcard,
    // Nobody takes part in a topic of direct messages, which have none.
    mentionsTopic: 'channel' in place && rendered.mentionsTopicWildcard,
    readerIds,
    mentionedUserIds,
    alertedUserIds,
  }
  const projection = {
    recipientId,
    topic,
    timestamp: Math.floor(sentAt.getTime() / 1000),
    client,
    isMeMessage: isMeMessage(content),
  }
  const announced: Announced = {
    // Nothing is spread here: this runs for every message sent, and copies by fields would be most of it.
    message: Object.assign(describeMessage(projection, place, sender, draft.realm), {
      content: rendered.html,
      content_type: 'text/html' as const,
      submessages: submessage ? [submessage] : [],
    }),
    rest: {
      raw_content: content,
      sender_is_gravatar: sender.is_gravatar,
      is_sender_outside: draft.isSenderOutside ?? false,
      recipient_user_ids: 'channel' in place ? null : place.users.map(({ user_id }) => user_id),
      is_public_channel: draft.isPublicChannel,
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
  return { message, announced }
}
