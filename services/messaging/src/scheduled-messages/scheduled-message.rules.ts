import { badRequest, type EndpointInput, type endpoints } from '@tms/contracts'
import { asAppError } from '@tms/service-kit'
import { isChannelType } from '../messages/addressee.rules.ts'
import type { Outgoing } from '../messages/outgoing.ts'
import { isReadBySender } from '../messages/sending.rules.ts'
import type { Contents, ScheduledMessage } from './scheduled-message.queries.ts'

type Changes = Omit<
  EndpointInput<typeof endpoints.messaging.updateScheduledMessage>,
  'scheduled_message_id' | 'scheduled_delivery_timestamp'
>
type SendFields = Pick<Outgoing['input'], 'type' | 'to' | 'content' | 'topic'>

/** Throws BAD_REQUEST unless a time, in UNIX seconds, is yet to come. */
export function checkInFuture(timestamp: number, now: Date): void {
  if (timestamp * 1000 <= now.getTime()) throw badRequest('The delivery time must be in the future')
}

/** What a message would be sent with. */
export function sendFieldsOf(message: Omit<Contents, 'renderedContent'>): SendFields {
  const { channelId, userIds, topic, content } = message
  return channelId === null
    ? { type: 'direct', to: [...(userIds ?? [])], content }
    : { type: 'channel', to: channelId, topic, content }
}

/**
 * What it would be sent with after a change; null if what is sent stays. Throws BAD_REQUEST for a type without
 * what it needs.
 */
export function changedSendFields(message: ScheduledMessage, changes: Changes): SendFields | null {
  const { type, to, topic, content } = changes
  if (type !== undefined && to === undefined) throw badRequest('A new type needs recipients')
  if (type !== undefined && isChannelType(type) && topic === undefined) {
    throw badRequest('A channel message needs a topic')
  }
  if (to === undefined && topic === undefined && content === undefined) return null
  const present = sendFieldsOf(message)
  return {
    type: type ?? present.type,
    to: to ?? present.to,
    topic: topic ?? present.topic,
    content: content ?? present.content,
  }
}

/** Throws BAD_REQUEST unless the changes give a time to a message that needs one. */
export function checkTimeGiven({ failed }: ScheduledMessage, timestamp: number | undefined): void {
  if (failed && timestamp === undefined) throw badRequest('A message that failed needs a new delivery time')
}

/** As for sending, except that a note to oneself is there to be noticed. */
export function isReadWhenDelivered(
  said: boolean | undefined,
  client: string,
  { userIds, senderId }: { userIds: readonly number[] | null; senderId: number },
): boolean {
  const isToSelf = userIds?.length === 1 && userIds[0] === senderId
  return isReadBySender(isToSelf ? (said ?? false) : said, client)
}

/**
 * Why a message cannot be sent, if that is what the error says: trying again would not help. Null for everything
 * that may pass: a server that is away, or a defect.
 */
export function refusalOf(err: unknown): string | null {
  const error = asAppError(err)
  return error !== null && error.status < 500 ? error.message : null
}

/** Too small keeps a server busy that is just coming back; too large delivers late when it is back. */
const MIN_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

/** How long to wait before the next attempt: half as long again as it is late. */
export function retryDelayMs(deliverAt: number, now: Date): number {
  const lateMs = now.getTime() - deliverAt * 1000
  return Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, lateMs / 2))
}

/** Too small shuffles messages after a short outage; too large has one that can't be sent hold up its whole topic. */
const HOLDS_UP_MS = 10_000

/** Whether a message that could not be sent yet is so late that later ones of its topic no longer wait for it. */
export function mayBePassed(deliverAt: number, now: Date): boolean {
  return now.getTime() - deliverAt * 1000 > HOLDS_UP_MS
}

/** What its sender is told when it could not be sent. The reason may quote names, so it is quoted as it is. */
export function failureText(
  message: Pick<ScheduledMessage, 'channelId' | 'deliverAt'>,
  reason: string,
): string {
  const kind = message.channelId === null ? 'direct message' : 'channel message'
  const time = new Date(message.deliverAt * 1000).toISOString()
  return [
    `Your scheduled ${kind} of <time:${time}> was not sent:`,
    '',
    '```text',
    reason,
    '```',
    '',
    'It is still among your scheduled messages: give it a new time, or delete it.',
  ].join('\n')
}
