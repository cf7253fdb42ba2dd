import type { MessageRecord, RealmProjection } from '@tms/contracts'
import type { ShownUser } from '../kernel/projections/projection-reader.ts'
import { topicLinks } from '../rendering/topic-links.ts'

/** The fields of a message that its record contains, apart from its ID and text. */
export interface MessageMetadata {
  readonly recipientId: number
  readonly topic: string
  /** UNIX seconds. */
  readonly timestamp: number
  readonly client: string
  readonly isMeMessage: boolean
}

/** Where a message is sent: a channel, or a conversation with all its users, including the sender. */
export type MessageTarget =
  | { readonly channel: { readonly id: number; readonly name: string } }
  | { readonly users: readonly ShownUser[] }

export type RecordWithoutText = Omit<MessageRecord, 'id' | 'content' | 'content_type'>

/** Builds the message record without its ID and text. */
export function describeMessage(
  message: MessageMetadata,
  target: MessageTarget,
  sender: ShownUser,
  realm: RealmProjection,
): RecordWithoutText {
  return {
    sender_id: sender.user_id,
    recipient_id: message.recipientId,
    timestamp: message.timestamp,
    ...('channel' in target
      ? { type: 'stream', stream_id: target.channel.id, display_recipient: target.channel.name }
      : { type: 'private', display_recipient: displayUsers(target.users) }),
    subject: message.topic,
    is_me_message: message.isMeMessage,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_realm_str: realm.string_id,
    client: message.client,
    avatar_url: sender.avatar_url,
    reactions: [],
    submessages: [],
    topic_links: message.topic === '' ? [] : topicLinks(message.topic, realm.linkifiers),
  }
}

/** Two users are in the order of their e-mails, a group in the order of its IDs. */
function displayUsers(users: readonly ShownUser[]) {
  const inOrder = users.toSorted((a, b) =>
    users.length > 2 ? a.user_id - b.user_id : compare(a.email, b.email),
  )
  return inOrder.map(({ user_id, email, full_name }) => ({
    id: user_id,
    email,
    full_name,
    is_mirror_dummy: false,
  }))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
