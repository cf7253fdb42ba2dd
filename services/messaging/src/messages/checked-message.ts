import type { TopicTarget } from '../kernel/messages/posting-target.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import type { Widget } from '../submessages/widget.rules.ts'
import type { MessageContent } from './compose-message.ts'
import type { NotificationCandidates } from './notified-users.rules.ts'

/**
 * A message that has passed every check: the outcome of finding its target, checking the rules and rendering its text.
 * Plain data: nothing in it runs later. `persistMessage` stores it, and makes certain under the lock of the recipient what may
 * have changed since, such as which of the mentioned users are subscribed.
 */
export interface CheckedMessage extends MessageContent {
  readonly target: PostingTarget
  /** Users to notify if they receive the message. In a channel, only the lock of its recipient makes that certain. */
  readonly candidates: NotificationCandidates
  /**
   * The sender and the mentioned users if the message may change the topic policy of one of them. Empty for most messages.
   */
  readonly topicPolicyCandidates: readonly KnownUser[]
  /** The form, poll or to-do list of the message. */
  readonly widget: Widget | null
}

/** Where a message goes, as its checks have found it. */
export type PostingTarget = TopicTarget | ConversationTarget

/** A conversation. Nobody joins or leaves it, and no permission in it is ever withdrawn, so it has no version. */
export interface ConversationTarget {
  readonly recipientId: number
  /** All its users: the recipients as the client named them, then the sender. */
  readonly users: readonly KnownUser[]
  /** The IDs of its users, sorted. */
  readonly userIds: readonly number[]
  /** The message starts the conversation, which may let guests see each other. */
  readonly isUnused: boolean
}
