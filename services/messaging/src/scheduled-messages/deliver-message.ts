import { AppError, domainEvents } from '@tms/contracts'
import { inTransaction, type Tx } from '@tms/service-kit'
import { replaceScheduledAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../context.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { send } from '../messages/send-message.ts'
import { markFailed, removeDelivered } from './due-message.queries.ts'
import { recordOf, type ScheduledMessage } from './scheduled-message.queries.ts'
import { failureText, sendFieldsOf } from './scheduled-message.rules.ts'

/** Ends a transaction because the message is no longer as it was read: changed, deleted, or sent by another replica. */
export class NotAsRead extends Error {}

/**
 * Sends a scheduled message as its sender could send it now. It is removed in the transaction that sends it, so
 * whatever dies, and however many replicas try, it is sent once. Throws what sending throws, or `NotAsRead`.
 */
export async function deliverMessage(context: Context, message: ScheduledMessage): Promise<void> {
  const { id, realmId, senderId, readBySender, client } = message
  const { directory } = context
  const [realm, { is_active, role }] = await Promise.all([
    directory.getRealm(realmId),
    directory.getUser(senderId),
  ])
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!is_active) throw new AppError('USER_DEACTIVATED')
  const sender = { userId: senderId, realmId, role }
  await send({
    context,
    sender,
    input: { ...sendFieldsOf(message), read_by_sender: readBySender },
    echo: null,
    client,
    requestId: null,
    key: null,
    companions: [
      {
        before: async (tx) => {
          if (!(await removeDelivered(tx, message))) throw new NotAsRead()
        },
        after: async (tx) => {
          const claim = { sender, messageId: id, pathIds: [], requestId: null }
          await replaceScheduledAttachments(tx, context, claim)
          await tellRemoved(tx, context, message)
        },
      },
    ],
  })
}

function tellRemoved(
  tx: Tx,
  { publish }: Context,
  { id, realmId, senderId }: ScheduledMessage,
): Promise<void> {
  const payload = { user_id: senderId, scheduled_message_id: id }
  return publish(tx, domainEvents.messaging.scheduledMessageRemoved, payload, { realmId, requestId: null })
}

/**
 * Says that a message could not be sent: it is kept as failed, its sender gets a message that says why, and
 * nothing tries again until they change it. Throws `NotAsRead`.
 */
export async function failMessage(
  context: Context,
  message: ScheduledMessage,
  reason: string,
): Promise<void> {
  const { realmId, senderId } = message
  const notice = await prepareNotice(context, realmId, failureText(message, reason))
  const user = await context.directory.getUser(senderId)
  await inTransaction(context.db, async (tx) => {
    // First, because it locks the place of their conversation.
    await storeDirectNotice(tx, notice, { user, requestId: null })
    const failed = await markFailed(tx, message)
    if (!failed) throw new NotAsRead()
    const payload = { user_id: senderId, scheduled_message: recordOf(failed) }
    const cause = { realmId, requestId: null }
    await context.publish(tx, domainEvents.messaging.scheduledMessageUpdated, payload, cause)
  })
}
