import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import { replaceScheduledAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../kernel/context.ts'
import { checkTotalSize } from '../kernel/messages/unsent-quota.rules.ts'
import { noSuchMessageError } from './no-such-message.ts'
import { prepareContents } from './prepare-contents.ts'
import {
  changeScheduledMessage,
  findScheduledMessage,
  lockScheduling,
  measureScheduled,
  toScheduledRecord,
} from './scheduled-message.queries.ts'
import { changedSendFields, checkHasTime, checkInFuture } from './scheduled-message.rules.ts'

/**
 * Changes a scheduled message. A failed one becomes due again at its new time. Changed content is checked again.
 * If the message is being sent at the same time, it is either sent unchanged, and this request finds none (404),
 * or changed.
 */
export const handleUpdateScheduledMessage: Handler<
  typeof endpoints.messaging.updateScheduledMessage,
  Context
> = async (request) => {
  const { input, caller, context, requestId } = request
  const { realmId, userId } = caller
  const message = await findScheduledMessage(context.db, userId, input.scheduled_message_id)
  if (!message) throw noSuchMessageError()
  const timestamp = input.scheduled_delivery_timestamp
  if (timestamp !== undefined) checkInFuture(timestamp, context.now())
  checkHasTime(message, timestamp)
  const fields = changedSendFields(message, input)
  if (fields === null && timestamp === undefined) throw badRequest('Nothing to change')

  const { client } = message
  const prepared = fields && (await prepareContents(context, { sender: caller, input: fields, client }))
  const deliverAt = timestamp ?? message.deliverAt
  const isChanged = await transact(context.db, async (tx) => {
    await lockScheduling(tx, userId)
    const changed = await changeScheduledMessage(tx, message, {
      ...(prepared?.contents ?? message),
      deliverAt,
    })
    if (!changed) return false
    if (prepared) {
      checkTotalSize('scheduled messages', await measureScheduled(tx, userId))
      const claim = { sender: caller, messageId: message.id, pathIds: prepared.pathIds, requestId }
      await replaceScheduledAttachments(tx, context, claim)
    }
    const payload = { user_id: userId, scheduled_message: toScheduledRecord(changed) }
    await context.publish(tx, domainEvents.messaging.scheduledMessageUpdated, payload, { realmId, requestId })
    return true
  })
  // Another change of the sender came first: this one is applied on top of it.
  if (!isChanged) return handleUpdateScheduledMessage(request)
  return {}
}
