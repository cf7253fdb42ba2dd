import { domainEvents, type MessageFlag, type PayloadOf } from '@tms/contracts'
import type { MessageAnnouncement } from './store-statement.queries.ts'

type Payload = PayloadOf<typeof domainEvents.messaging.messageSent>
/** The event before the message has its ID. */
export interface Announced {
  readonly message: Omit<Payload['message'], 'id'>
  readonly rest: Omit<Payload, 'message'>
}

/** Writes the event's JSON, open where the message's ID belongs. */
export function announceMessage({ message, rest }: Announced, requestId: string | null): MessageAnnouncement {
  return {
    event: domainEvents.messaging.messageSent.name,
    requestId,
    payloadBeforeId: '{"message":{"id":',
    payloadAfterId: `,${JSON.stringify(message).slice(1)},${JSON.stringify(rest).slice(1)}`,
  }
}

/** Flags at birth of everyone who receives a message. */
export function flagsOfAll({ mentionsChannel }: { mentionsChannel: boolean }): MessageFlag[] {
  return mentionsChannel ? ['stream_wildcard_mentioned', 'wildcard_mentioned'] : []
}

/** Flags at birth of the few who have any of their own. */
export function flagsByUser(flags: {
  readerIds: readonly number[]
  mentionedUserIds: readonly number[]
  alertedUserIds: readonly number[]
  /** Of a topic mention; empty without one. */
  participantIds: readonly number[]
  /** Mentioned where they aren't, so that they receive it. */
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
