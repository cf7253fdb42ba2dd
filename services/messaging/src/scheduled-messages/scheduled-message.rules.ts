import { badRequest, type EndpointInput, type endpoints } from '@tms/contracts'
import { isChannelType } from '../kernel/messages/message-target.rules.ts'
import type { MessageRequest } from '../messages/send-request.ts'
import { isReadBySender } from '../messages/sending.rules.ts'
import type { Contents, ScheduledMessage } from './scheduled-message.queries.ts'

type Changes = Omit<
  EndpointInput<typeof endpoints.messaging.updateScheduledMessage>,
  'scheduled_message_id' | 'scheduled_delivery_timestamp'
>

type SendFields = Pick<MessageRequest['input'], 'type' | 'to' | 'content' | 'topic'>

/** Throws BAD_REQUEST unless a time, in UNIX seconds, is in the future. */
export function checkInFuture(timestamp: number, now: Date): void {
  if (timestamp * 1000 <= now.getTime()) throw badRequest('The delivery time must be in the future')
}

/** Builds the fields of the send request of a scheduled message. */
export function sendFieldsOf(message: Omit<Contents, 'renderedContent'>): SendFields {
  const { channelId, userIds, topic, content } = message
  return channelId === null
    ? { type: 'direct', to: [...(userIds ?? [])], content }
    : { type: 'channel', to: channelId, topic, content }
}

/**
 * Builds the fields of the send request after a change; null if only the time changes. Throws BAD_REQUEST for a
 * new type without the fields that it needs.
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

/** Throws BAD_REQUEST unless a failed message gets a new time. */
export function checkHasTime({ failed }: ScheduledMessage, timestamp: number | undefined): void {
  if (failed && timestamp === undefined) throw badRequest('A message that failed needs a new delivery time')
}

/**
 * Whether a message is stored as read by its sender: as for sending, except that a note to self is unread by
 * default.
 */
export function isReadWhenDelivered(
  isReadRequested: boolean | undefined,
  client: string,
  { userIds, senderId }: { userIds: readonly number[] | null; senderId: number },
): boolean {
  const isToSelf = userIds?.length === 1 && userIds[0] === senderId
  return isReadBySender(isToSelf ? (isReadRequested ?? false) : isReadRequested, client)
}

/** Too small keeps a recovering server busy; too large sends late after its recovery. */
const MIN_RETRY_MS = 1_000

const MAX_RETRY_MS = 60_000

/** Delay before the next attempt: half of how late the message is. */
export function retryDelayMs(deliverAt: number, now: Date): number {
  const lateMs = now.getTime() - deliverAt * 1000
  return Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, lateMs / 2))
}

/**
 * Too small reorders messages after a short outage; too large lets one message that can't be sent block its whole
 * topic.
 */
const MAX_BLOCKING_MS = 10_000

/** Whether a message that could not be sent yet is so late that later ones of its topic no longer wait for it. */
export function mayBePassed(deliverAt: number, now: Date): boolean {
  return now.getTime() - deliverAt * 1000 > MAX_BLOCKING_MS
}

/** Writes the message to the sender about a failure. The reason may contain names, so it is in a code block. */
export function writeFailureNotice(
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
