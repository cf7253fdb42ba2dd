import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import { replaceScheduledAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../context.ts'
import { noSuchMessage } from './no-such-message.ts'
import { deleteScheduledMessage } from './scheduled-message.queries.ts'

/** Deletes a scheduled message, which then is not sent. One that was sent just before is gone (404). */
export const handleDeleteScheduledMessage: Handler<
  typeof endpoints.messaging.deleteScheduledMessage,
  Context
> = async ({ input, caller, context, requestId }) => {
  const { scheduled_message_id } = input
  const { realmId, userId } = caller
  await inTransaction(context.db, async (tx) => {
    if (!(await deleteScheduledMessage(tx, userId, scheduled_message_id))) throw noSuchMessage()
    const claim = { sender: caller, messageId: scheduled_message_id, pathIds: [], requestId }
    await replaceScheduledAttachments(tx, context, claim)
    const payload = { user_id: userId, scheduled_message_id }
    await context.publish(tx, domainEvents.messaging.scheduledMessageRemoved, payload, { realmId, requestId })
  })
  context.relay.wake()
  return {}
}
