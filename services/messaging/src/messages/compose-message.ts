import type { RealmFacts } from '@tms/contracts'
import type { KnownUser } from '../directory/directory.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import { type Announced, flagsByUser, flagsOfAll } from './announce-message.ts'
import { isMeMessage } from './content.rules.ts'
import { describeMessage, type Place } from './message-record.ts'
import type { SendRequest } from './send-request.ts'
import { isReadBySenderByDefault } from './sending.rules.ts'
import type { NewMessage } from './store-message.queries.ts'

/** What a send knows once every check has passed. */
export interface Draft {
  readonly request: SendRequest
  readonly sender: KnownUser
  readonly realm: RealmFacts
  readonly recipientId: number
  readonly place: Place
  /** Empty for a direct message. */
  readonly topic: string
  readonly content: string
  readonly rendered: Rendered
  /** A channel's message reaches its sender only if they subscribe. */
  readonly isReceivedBySender: boolean
  readonly isPublicChannel: boolean
  /** Of those mentioned by name, who receives it. */
  readonly mentionedUserIds: readonly number[]
  /** Whom a topic mention means; empty without one. */
  readonly participantIds: readonly number[]
}

/** The row to store and the event that tells of it, both complete but for the ID. */
export function composeMessage(draft: Draft): { message: NewMessage; announced: Announced } {
  const { request, sender, place, rendered, content, topic, recipientId } = draft
  const { input, context, client } = request
  const sentAt = context.now()
  const isReadBySender = draft.isReceivedBySender && (input.read_by_sender ?? isReadBySenderByDefault(client))

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
    mentionsTopic: rendered.mentionsTopicWildcard,
    isReadBySender,
    mentionedUserIds: draft.mentionedUserIds,
  }
  const facts = {
    recipientId,
    topic,
    timestamp: Math.floor(sentAt.getTime() / 1000),
    client,
    isMeMessage: isMeMessage(content),
  }
  const announced: Announced = {
    message: {
      ...describeMessage(facts, place, sender, draft.realm),
      content: rendered.html,
      content_type: 'text/html',
    },
    raw_content: content,
    sender_is_gravatar: sender.is_gravatar,
    recipient_user_ids: 'channel' in place ? null : place.users.map(({ user_id }) => user_id),
    is_public_channel: draft.isPublicChannel,
    flags_by_user: flagsByUser({
      senderId: sender.user_id,
      isReadBySender,
      mentionedUserIds: draft.mentionedUserIds,
      participantIds: draft.participantIds,
    }),
    flags_of_all: flagsOfAll(message),
    sender_queue_id: input.queue_id ?? null,
    local_id: input.local_id ?? null,
  }
  return { message, announced }
}
