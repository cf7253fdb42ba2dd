import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { scheduledMessageRecord } from '../records.ts'

const ofUser = ({ user_id }: { user_id: number }) => [{ kind: 'users', userIds: [user_id] }] as const

export const scheduledMessageAdded = domainEvent({
  name: 'messaging.scheduled_message_added.v1',
  producer: 'messaging',
  summary: 'A user scheduled a message',
  payload: z.object({ user_id: z.int(), scheduled_message: scheduledMessageRecord }),
  audience: ofUser,
  audit: { none: 'A message to be sent is content, and seen by its author alone.' },
})

/** Its sender changed it, or its delivery failed. */
export const scheduledMessageUpdated = domainEvent({
  name: 'messaging.scheduled_message_updated.v1',
  producer: 'messaging',
  summary: 'A scheduled message changed',
  payload: z.object({ user_id: z.int(), scheduled_message: scheduledMessageRecord }),
  audience: ofUser,
  audit: { none: 'A message to be sent is content, and seen by its author alone.' },
})

/** Its sender deleted it, or it was delivered; then it comes after the message. */
export const scheduledMessageRemoved = domainEvent({
  name: 'messaging.scheduled_message_removed.v1',
  producer: 'messaging',
  summary: 'A scheduled message was delivered or deleted',
  payload: z.object({ user_id: z.int(), scheduled_message_id: z.int() }),
  audience: ofUser,
  audit: { none: 'A message to be sent is content, and seen by its author alone.' },
})
