import { domainEvents, type MessageFlag, type PayloadOf } from '@tms/contracts'
import type { MessageSentRow } from './store-statement.queries.ts'

type Payload = PayloadOf<typeof domainEvents.messaging.messageSent>
/** The event `message_sent` before the message has its ID. */
export interface MessageSentWithoutId {
  readonly message: Omit<Payload['message'], 'id'>
  readonly rest: Omit<Payload, 'message'>
}

/** Renders the outbox row of the event. The payload is in two parts, between which the statement puts the ID. */
export function renderMessageSent(
  { message, rest }: MessageSentWithoutId,
  requestId: string | null,
): MessageSentRow {
  return {
    event: domainEvents.messaging.messageSent.name,
    requestId,
    payloadBeforeId: '{"message":{"id":',
    payloadAfterId: `,${JSON.stringify(message).slice(1)},${JSON.stringify(rest).slice(1)}`,
  }
}

/** Initial flags of every recipient of a message. */
export function flagsOfAll({ mentionsChannel }: { mentionsChannel: boolean }): MessageFlag[] {
  return mentionsChannel ? ['stream_wildcard_mentioned', 'wildcard_mentioned'] : []
}

/** Initial flags of the recipients who have flags of their own. */
export function flagsByUser(flags: {
  readerIds: readonly number[]
  mentionedUserIds: readonly number[]
  alertedUserIds: readonly number[]
  /** Participants of a mentioned topic; otherwise empty. */
  participantIds: readonly number[]
  /** Bots that are mentioned without being in the channel, and receive the message. */
  calledBotIds: readonly number[]
}): Record<string, MessageFlag[]> {
  const byUser: Record<string, MessageFlag[]> = {}
  const add = (userId: number, ...more: MessageFlag[]) => {
    byUser[userId] = [...(byUser[userId] ?? []), ...more]
  }
  for (const userId of flags.readerIds) add(userId, 'read')
  for (const userId of [...flags.mentionedUserIds, ...flags.calledBotIds]) add(userId, 'mentioned')
  for (const userId of flags.alertedUserIds) add(userId, 'has_alert_word')
  for (const userId of flags.participantIds) add(userId, 'topic_wildcard_mentioned', 'wildcard_mentioned')
  return byUser
}
