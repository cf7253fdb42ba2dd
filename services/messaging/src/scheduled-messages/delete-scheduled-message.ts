import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import { replaceScheduledAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../kernel/context.ts'
import { noSuchMessageError } from './no-such-message.ts'
import { deleteScheduledMessage } from './scheduled-message.queries.ts'

/** Deletes a scheduled message before it is sent. If it was sent just before, it doesn't exist any more (404). */
export const handleDeleteScheduledMessage: Handler<
  typeof endpoints.messaging.deleteScheduledMessage,
  Context
> = async ({ input, caller, context, requestId }) => {
  const { scheduled_message_id } = input
  const { realmId, userId } = caller
  await transact(context.db, async (tx) => {
    if (!(await deleteScheduledMessage(tx, userId, scheduled_message_id))) throw noSuchMessageError()
    const claim = { sender: caller, messageId: scheduled_message_id, pathIds: [], requestId }
    await replaceScheduledAttachments(tx, context, claim)
    const payload = { user_id: userId, scheduled_message_id }
    await context.publish(tx, domainEvents.messaging.scheduledMessageRemoved, payload, { realmId, requestId })
  })
  return {}
}
