import type { MessageRecord, RealmProjection } from '@tms/contracts'
import type { KnownUser } from '../directory/directory.ts'
import { topicLinks } from '../rendering/topic-links.ts'

/** What of a user the record of a message shows. */
export type ShownUser = Pick<KnownUser, 'user_id' | 'email' | 'full_name' | 'avatar_url' | 'is_gravatar'>

/** What of a message its record shows, apart from its ID and text. */
export interface MessageFacts {
  readonly recipientId: number
  readonly topic: string
  /** UNIX seconds. */
  readonly timestamp: number
  readonly client: string
  readonly isMeMessage: boolean
}

/** Where a message stands: a channel, or a conversation with all its users, the sender included. */
export type Place =
  | { readonly channel: { readonly id: number; readonly name: string } }
  | { readonly users: readonly ShownUser[] }

export type RecordWithoutText = Omit<MessageRecord, 'id' | 'content' | 'content_type'>

/** The message record up to its ID and its text. */
export function describeMessage(
  message: MessageFacts,
  place: Place,
  sender: ShownUser,
  realm: RealmProjection,
): RecordWithoutText {
  return {
    sender_id: sender.user_id,
    recipient_id: message.recipientId,
    timestamp: message.timestamp,
    ...('channel' in place
      ? { type: 'stream', stream_id: place.channel.id, display_recipient: place.channel.name }
      : { type: 'private', display_recipient: displayUsers(place.users) }),
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

/** Between two, in the order of their e-mails; in a group, in the order of their IDs. */
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
