import { AppError, domainEvents } from '@tms/contracts'
import { type Tx, transact } from '@tms/service-kit'
import { replaceScheduledAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../kernel/context.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { sendMessage } from '../messages/send-message.ts'
import { deleteSentMessage, markFailed } from './due-message.queries.ts'
import { type ScheduledMessage, toScheduledRecord } from './scheduled-message.queries.ts'
import { sendFieldsOf, writeFailureNotice } from './scheduled-message.rules.ts'

/**
 * The message is no longer as it was read: changed, deleted, or sent by another replica. Rolls the transaction
 * back.
 */
export class ScheduledMessageChangedError extends Error {}

/**
 * Sends a scheduled message with the permissions that its sender has now. It is deleted in the transaction that
 * sends it, so it is sent once, whatever crashes and however many replicas try. Throws what sending throws, or
 * `ScheduledMessageChangedError`.
 */
export async function sendScheduledMessage(context: Context, message: ScheduledMessage): Promise<void> {
  const { id, realmId, senderId, readBySender, client } = message
  const { projections } = context
  const [realm, { is_active, role }] = await Promise.all([
    projections.getRealm(realmId),
    projections.getUser(senderId),
  ])
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!is_active) throw new AppError('USER_DEACTIVATED')
  const sender = { userId: senderId, realmId, role }
  await sendMessage(context, {
    sender,
    input: { ...sendFieldsOf(message), read_by_sender: readBySender },
    echo: null,
    client,
    requestId: null,
    idempotencyKey: null,
    hook: {
      beforeStore: async (tx) => {
        if (!(await deleteSentMessage(tx, message))) throw new ScheduledMessageChangedError()
      },
      afterStore: async (tx) => {
        const claim = { sender, messageId: id, pathIds: [], requestId: null }
        await replaceScheduledAttachments(tx, context, claim)
        await publishRemoved(tx, context, message)
      },
    },
  })
}

function publishRemoved(
  tx: Tx,
  { publish }: Context,
  { id, realmId, senderId }: ScheduledMessage,
): Promise<void> {
  const payload = { user_id: senderId, scheduled_message_id: id }
  return publish(tx, domainEvents.messaging.scheduledMessageRemoved, payload, { realmId, requestId: null })
}

/**
 * Marks a message as failed: it stays, its sender gets a direct message with the reason, and it isn't tried again
 * until the sender changes it. Throws `ScheduledMessageChangedError`.
 */
export async function markUndeliverable(
  context: Context,
  message: ScheduledMessage,
  reason: string,
): Promise<void> {
  const { realmId, senderId } = message
  const notice = await prepareNotice(context, realmId, writeFailureNotice(message, reason))
  const user = await context.projections.getUser(senderId)
  await transact(context.db, async (tx) => {
    // First, because it locks the recipient of their conversation.
    await storeDirectNotice(tx, notice, { user, requestId: null })
    const failed = await markFailed(tx, message)
    if (!failed) throw new ScheduledMessageChangedError()
    const payload = { user_id: senderId, scheduled_message: toScheduledRecord(failed) }
    const cause = { realmId, requestId: null }
    await context.publish(tx, domainEvents.messaging.scheduledMessageUpdated, payload, cause)
  })
}
