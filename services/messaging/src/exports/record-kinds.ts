import { draftKind, scheduledMessageKind } from './draft-kinds.queries.ts'
import {
  attachmentKind,
  attachmentMessageKind,
  attachmentScheduledMessageKind,
} from './file-kinds.queries.ts'
import { messageFlagsKind, messageKind, reactionKind, submessageKind } from './message-kinds.queries.ts'
import { pointerKind } from './pointer-kind.queries.ts'
import { channelKind, conversationKind } from './recipient-kinds.queries.ts'
import type { KindName, RecordKind } from './record-kind.ts'
import { subscriptionKind, userTopicKind } from './subscription-kinds.queries.ts'

/** All kinds of records, in the order in which an import needs them. */
export const recordKinds: { readonly [Name in KindName]: RecordKind<Name> } = {
  channel: channelKind,
  conversation: conversationKind,
  subscription: subscriptionKind,
  message: messageKind,
  message_flags: messageFlagsKind,
  reaction: reactionKind,
  submessage: submessageKind,
  user_topic: userTopicKind,
  pointer: pointerKind,
  draft: draftKind,
  scheduled_message: scheduledMessageKind,
  attachment: attachmentKind,
  attachment_message: attachmentMessageKind,
  attachment_scheduled_message: attachmentScheduledMessageKind,
}
