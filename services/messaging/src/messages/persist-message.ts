import { type OutboxWriter, type Tx, transact } from '@tms/service-kit'
import { claimAttachments } from '../attachments/claim-attachments.ts'
import { deliverToMentionedBots } from '../flags/message-flags.queries.ts'
import { newEffects, noteGuestVisibility } from '../kernel/effects/effects.ts'
import { queueVisibilityAfterFirstMessage } from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { lockRecipient } from '../kernel/locks/recipient-locks.queries.ts'
import { shareSubscribingLock } from '../kernel/locks/subscribing-lock.queries.ts'
import { addWebhookCalls } from '../kernel/webhooks/new-call.queries.ts'
import { insertSubmessage, reserveSubmessageId } from '../submessages/submessage.queries.ts'
import type { Widget } from '../submessages/widget.rules.ts'
import { composeMessage, type MessageContent, type NewSubmessage } from './compose-message.ts'
import { renderMessageSent } from './message-sent-event.ts'
import type { SendRequest, SendResult } from './send-request.ts'
import { storeMessage } from './store-message.queries.ts'

/** Users who are notified of a message beyond receiving it. */
export interface NotifiedUsers {
  readonly mentionedUserIds: readonly number[]
  readonly alertedUserIds: readonly number[]
  /** Bots that are mentioned in a public channel without being in it. They receive this one message. */
  readonly calledBotIds?: readonly number[]
  /** Outgoing webhooks to call because of it. */
  readonly webhookIds?: readonly number[]
}

/** A message that has passed every check. */
export interface CheckedMessage {
  readonly recipientId: number
  /**
   * Version of the channel at the time of the checks. Null for a conversation, where no permission is ever
   * withdrawn.
   */
  readonly version: number | null
  /** Returns the current version if nothing else that was checked of the channel has changed. */
  readonly findVersion: (() => Promise<number | null>) | null
  readonly buildContent: (notifiedUsers: NotifiedUsers) => MessageContent
  /**
   * The users, or a query for them that runs under the lock of the recipient: only there nobody joins or leaves.
   */
  readonly notifiedUsers: NotifiedUsers | ((tx: Tx) => Promise<NotifiedUsers>)
  /**
   * The message is stored as read for users besides its sender. Which of them receive it is known only under the
   * lock: the statement alone would miss a user who joins while it waits.
   */
  readonly isReadByOthers: boolean
  /**
   * Changes topic visibility policies before the message is stored. Returns the new policy of the sender, or null.
   */
  readonly applyVisibilityChange: ((tx: Tx, notifiedUsers: NotifiedUsers) => Promise<number | null>) | null
  /**
   * Members of the conversation that this message starts, which may let guests see each other. Null if it starts
   * none.
   */
  readonly newConversationUserIds: readonly number[] | null
  /** Uploaded files that the text links. */
  readonly pathIds: readonly string[]
  /** The form, poll or to-do list of the message. */
  readonly widget: Widget | null
}

/**
 * Stores a message with everything that belongs to it. The common case is one statement. If anything else has to
 * be stored with it, or the notified users have to be looked up, it is a transaction that begins with the lock of
 * the recipient. Throws `VersionConflictError` if the channel has changed since the checks.
 */
export async function persistMessage(sendRequest: SendRequest, checked: CheckedMessage): Promise<SendResult> {
  const { context, sender, hooks, requestId, idempotencyKey } = sendRequest
  const { version, isReadByOthers, applyVisibilityChange, newConversationUserIds, pathIds, widget } = checked
  const store = (
    db: OutboxWriter,
    notified: NotifiedUsers,
    automaticVisibility: number | null,
    submessage: NewSubmessage | null = null,
  ): Promise<number> => {
    const { message, event } = composeMessage(checked.buildContent(notified), submessage)
    const idempotencyRecord = idempotencyKey && { ...idempotencyKey, automaticVisibility }
    return storeMessage(db, message, renderMessageSent(event, requestId), { idempotencyRecord, version })
  }
  const isOneStatement =
    !isReadByOthers &&
    !applyVisibilityChange &&
    !newConversationUserIds &&
    !widget &&
    hooks.length === 0 &&
    pathIds.length === 0
  const known = typeof checked.notifiedUsers === 'function' ? null : checked.notifiedUsers
  if (known && isOneStatement && !known.webhookIds?.length) {
    return { id: await store(context.db, known, null), automaticVisibility: null }
  }
  let callsWebhooks = false
  const cause = { realmId: sender.realmId, requestId }
  const effects = newEffects()
  const sent = await transact(context.db, async (tx) => {
    if (newConversationUserIds) await shareSubscribingLock(tx, sender.realmId)
    await lockRecipient(tx, checked.recipientId)
    for (const { before } of hooks) await before?.(tx)
    const { notifiedUsers } = checked
    const notified = typeof notifiedUsers === 'function' ? await notifiedUsers(tx) : notifiedUsers
    const automaticVisibility = applyVisibilityChange ? await applyVisibilityChange(tx, notified) : null
    const submessage = widget && (await createSubmessage(tx, sender.userId, widget))
    const id = await store(tx, notified, automaticVisibility, submessage)
    if (notified.calledBotIds?.length) await deliverToMentionedBots(tx, id, notified.calledBotIds)
    const { webhookIds = [] } = notified
    callsWebhooks = webhookIds.length > 0
    if (callsWebhooks)
      await addWebhookCalls(tx, { realmId: sender.realmId, messageId: id, botIds: webhookIds })
    if (submessage) await insertSubmessage(tx, { ...submessage, message_id: id })
    for (const { after } of hooks) await after?.(tx, id)
    await claimAttachments(tx, context, { sender, messageId: id, pathIds, requestId })
    if (newConversationUserIds)
      noteGuestVisibility(effects, await queueVisibilityAfterFirstMessage(tx, newConversationUserIds, cause))
    return { id, automaticVisibility }
  })
  if (newConversationUserIds) await context.propagateEffects(effects, cause)
  if (callsWebhooks) context.webhookCalls.wake()
  return sent
}

/** Its ID is needed before the message is stored, because the event of the message contains it. */
async function createSubmessage(tx: Tx, senderId: number, widget: Widget): Promise<NewSubmessage> {
  const id = await reserveSubmessageId(tx)
  return { id, sender_id: senderId, msg_type: 'widget', content: JSON.stringify(widget) }
}
