import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { audienceOfHolders, messageHolders } from '../message-audience.ts'
import { submessageRecord } from '../records.ts'

/** Delivered in order per message. */
export const submessageAdded = domainEvent({
  name: 'messaging.submessage_added.v1',
  producer: 'messaging',
  summary: 'A submessage was attached to a message, such as a vote in a poll',
  payload: z.object({ submessage: submessageRecord, holders: messageHolders }),
  audience: ({ holders }) => audienceOfHolders(holders),
  audit: { none: 'A vote is content, not administration.' },
})
