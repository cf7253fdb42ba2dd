import { domainEvents, type endpoints, limits } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import { replaceScheduledAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../kernel/context.ts'
import { checkQuota } from '../kernel/messages/unsent-quota.rules.ts'
import { prepareContents } from './prepare-contents.ts'
import {
  insertScheduledMessage,
  lockScheduling,
  measureScheduled,
  toScheduledRecord,
} from './scheduled-message.queries.ts'
import { checkInFuture, isReadWhenDelivered } from './scheduled-message.rules.ts'

/** Schedules a message. It must pass all the checks of sending it now. */
export const handleCreateScheduledMessage: Handler<
  typeof endpoints.messaging.createScheduledMessage,
  Context
> = async ({ input, caller, context, client, requestId }) => {
  const { realmId, userId: senderId } = caller
  const deliverAt = input.scheduled_delivery_timestamp
  checkInFuture(deliverAt, context.now())
  const { contents, pathIds } = await prepareContents(context, { sender: caller, input, client })
  const readBySender = isReadWhenDelivered(input.read_by_sender, client, { ...contents, senderId })
  const created = await transact(context.db, async (tx) => {
    await lockScheduling(tx, senderId)
    const message = await insertScheduledMessage(tx, {
      ...contents,
      realmId,
      senderId,
      readBySender,
      client,
      deliverAt,
    })
    checkQuota('scheduled messages', await measureScheduled(tx, senderId), limits.maxScheduledMessages)
    const claim = { sender: caller, messageId: message.id, pathIds, requestId }
    await replaceScheduledAttachments(tx, context, claim)
    const payload = { user_id: senderId, scheduled_message: toScheduledRecord(message) }
    await context.publish(tx, domainEvents.messaging.scheduledMessageAdded, payload, { realmId, requestId })
    return message
  })
  return { scheduled_message_id: created.id }
}
