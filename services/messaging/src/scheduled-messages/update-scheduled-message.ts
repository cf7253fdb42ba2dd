import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import { replaceScheduledAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../context.ts'
import { checkLength } from '../messages/unsent-room.rules.ts'
import { noSuchMessage } from './no-such-message.ts'
import { prepareContents } from './prepare-contents.ts'
import {
  changeScheduledMessage,
  findScheduledMessage,
  lockScheduling,
  measureScheduled,
  recordOf,
} from './scheduled-message.queries.ts'
import { changedSendFields, checkInFuture, checkTimeGiven } from './scheduled-message.rules.ts'

/**
 * Changes a scheduled message, which then is due at its time again if it had failed. What is sent is checked anew
 * where it changes. One that is being delivered at the same time is either delivered as it was, and then gone for
 * this request (404), or changed.
 */
export const handleUpdateScheduledMessage: Handler<
  typeof endpoints.messaging.updateScheduledMessage,
  Context
> = async (request) => {
  const { input, caller, context, requestId } = request
  const { realmId, userId } = caller
  const message = await findScheduledMessage(context.db, userId, input.scheduled_message_id)
  if (!message) throw noSuchMessage()
  const timestamp = input.scheduled_delivery_timestamp
  if (timestamp !== undefined) checkInFuture(timestamp, context.now())
  checkTimeGiven(message, timestamp)
  const fields = changedSendFields(message, input)
  if (fields === null && timestamp === undefined) throw badRequest('Nothing to change')

  const { client } = message
  const prepared =
    fields && (await prepareContents({ context, sender: caller, input: fields, client, requestId }))
  const deliverAt = timestamp ?? message.deliverAt
  const isChanged = await inTransaction(context.db, async (tx) => {
    await lockScheduling(tx, userId)
    const changed = await changeScheduledMessage(tx, message, {
      ...(prepared?.contents ?? message),
      deliverAt,
    })
    if (!changed) return false
    if (prepared) {
      checkLength('scheduled messages', await measureScheduled(tx, userId))
      const claim = { sender: caller, messageId: message.id, pathIds: prepared.pathIds, requestId }
      await replaceScheduledAttachments(tx, context, claim)
    }
    const payload = { user_id: userId, scheduled_message: recordOf(changed) }
    await context.publish(tx, domainEvents.messaging.scheduledMessageUpdated, payload, { realmId, requestId })
    return true
  })
  // Another change of the sender came between: this one is made on top of it.
  if (!isChanged) return handleUpdateScheduledMessage(request)
  context.relay.wake()
  return {}
}
