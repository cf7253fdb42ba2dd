import { domainEvents, type MessageFlag, type PayloadOf } from '@tms/contracts'
import type { NewSubmessage } from './compose-message.ts'
import type { MessageAnnouncement } from './store-message.queries.ts'

type Payload = PayloadOf<typeof domainEvents.messaging.messageSent>
type Message = Omit<Payload['message'], 'id' | 'submessages'>
/** The event before the message has its ID. */
export type Announced = Omit<Payload, 'message'> & {
  readonly message: Message & { readonly submessages: readonly NewSubmessage[] }
}

/** Stands, with `null`, for the message's ID. In texts the quotes are escaped, so this is found nowhere else. */
const OPEN = '"message_id":'

/** Splits the event's JSON wherever the message's ID belongs. */
export function announceMessage(
  { message, ...rest }: Announced,
  requestId: string | null,
): MessageAnnouncement {
  const submessages = message.submessages.map((submessage) => ({ ...submessage, message_id: null }))
  const opened = JSON.stringify({ ...message, submessages })
  const fields = `,${opened.slice(1)},${JSON.stringify(rest).slice(1)}`
  const parts = fields.split(`${OPEN}null`)
  return {
    event: domainEvents.messaging.messageSent.name,
    requestId,
    payload: ['{"message":{"id":', ...parts.slice(0, -1).map((part) => part + OPEN), parts.at(-1) ?? ''],
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
}): Record<string, MessageFlag[]> {
  const byUser: Record<string, MessageFlag[]> = {}
  const add = (userId: number, ...more: MessageFlag[]) => {
    byUser[userId] = [...(byUser[userId] ?? []), ...more]
  }
  for (const userId of flags.readerIds) add(userId, 'read')
  for (const userId of flags.mentionedUserIds) add(userId, 'mentioned')
  for (const userId of flags.alertedUserIds) add(userId, 'has_alert_word')
  for (const userId of flags.participantIds) add(userId, 'topic_wildcard_mentioned', 'wildcard_mentioned')
  return byUser
}
