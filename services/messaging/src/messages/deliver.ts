import { inTransaction, type Queryable, type Tx } from '@tms/service-kit'
import { claimAttachments } from '../attachments/claim-attachments.ts'
import { shareSight } from '../directory/standing.queries.ts'
import { receiveMentioned } from '../flags/message-flags.queries.ts'
import { settleConversation } from '../guest-visibility/settle-sights.ts'
import { newEffects, noteGuestVisibility } from '../other-services/effects.ts'
import { insertSubmessage, nextSubmessageId } from '../submessages/submessage.queries.ts'
import type { Widget } from '../submessages/widget.rules.ts'
import { addWebhookCalls } from '../webhooks/webhook-call.queries.ts'
import { announceMessage } from './announce-message.ts'
import { composeMessage, type Draft, type NewSubmessage } from './compose-message.ts'
import type { Outgoing, Sent } from './outgoing.ts'
import { lockRecipient, storeMessage } from './store-message.queries.ts'

/** Those who get the message and are told more than that it is there. */
export interface Reached {
  readonly mentionedUserIds: readonly number[]
  readonly alertedUserIds: readonly number[]
  /** Bots that are mentioned in a public channel in which they are not: they receive this message of it. */
  readonly calledBotIds?: readonly number[]
  /** Outgoing webhooks that are called because of it. */
  readonly webhookIds?: readonly number[]
}

/** A message that has passed every check. */
export interface Delivery {
  readonly recipientId: number
  /** Of the place, as it was checked; null for a conversation, in which nothing is ever taken from anybody. */
  readonly revision: number | null
  /** The place's present revision, if all that was checked of it is as it was. */
  readonly findRevision: (() => Promise<number | null>) | null
  readonly draft: (reached: Reached) => Draft
  /**
   * Who is reached: the answer, or the question to ask under the lock of the message's place, because only there
   * nobody comes or goes.
   */
  readonly reached: Reached | ((tx: Tx) => Promise<Reached>)
  /**
   * It is born read for others than its sender. Who of them receives it is known only under the lock: the statement alone would
   * leave out who joins while it waits for that.
   */
  readonly isReadByOthers: boolean
  /** Changes how people see the topic, before the message is there; the sender's new policy, or null. */
  readonly settleVisibility: ((tx: Tx, reached: Reached) => Promise<number | null>) | null
  /** Between whom it begins a conversation, which is then something that they share; null if it doesn't. */
  readonly beginsBetween: readonly number[] | null
  /** Uploads that the text links. */
  readonly pathIds: readonly string[]
  /** What a form, a poll or a list shows first. */
  readonly widget: Widget | null
}

/**
 * Stores a message with everything that belongs to it. One that concerns nobody in particular takes one
 * statement; every other one takes a transaction that begins with the lock of its place. Throws
 * `OutdatedCheck` where that has changed since it passed the checks.
 */
export async function deliver(outgoing: Outgoing, delivery: Delivery): Promise<Sent> {
  const { context, sender, companions, requestId, key } = outgoing
  const { revision, reached, isReadByOthers, settleVisibility, beginsBetween, pathIds, widget } = delivery
  const store = (
    db: Queryable,
    whom: Reached,
    automaticVisibility: number | null,
    submessage: NewSubmessage | null = null,
  ): Promise<number> => {
    const { message, announced } = composeMessage(delivery.draft(whom), submessage)
    const named = key && { ...key, automaticVisibility }
    return storeMessage(db, message, announceMessage(announced, requestId), { named, revision })
  }
  const isAlone =
    !isReadByOthers &&
    !settleVisibility &&
    !beginsBetween &&
    !widget &&
    companions.length === 0 &&
    pathIds.length === 0
  if (typeof reached !== 'function' && isAlone && !reached.webhookIds?.length) {
    return { id: await store(context.db, reached, null), automaticVisibility: null }
  }
  let callsWebhooks = false
  const cause = { realmId: sender.realmId, requestId }
  const effects = newEffects()
  const sent = await inTransaction(context.db, async (tx) => {
    if (beginsBetween) await shareSight(tx, sender.realmId)
    await lockRecipient(tx, delivery.recipientId)
    for (const { before } of companions) await before?.(tx)
    const whom = typeof reached === 'function' ? await reached(tx) : reached
    const automaticVisibility = settleVisibility ? await settleVisibility(tx, whom) : null
    const submessage = widget && (await newSubmessage(tx, sender.userId, widget))
    const id = await store(tx, whom, automaticVisibility, submessage)
    if (whom.calledBotIds?.length) await receiveMentioned(tx, id, whom.calledBotIds)
    const { webhookIds = [] } = whom
    callsWebhooks = webhookIds.length > 0
    if (callsWebhooks)
      await addWebhookCalls(tx, { realmId: sender.realmId, messageId: id, botIds: webhookIds })
    if (submessage) await insertSubmessage(tx, { ...submessage, message_id: id })
    for (const { after } of companions) await after?.(tx, id)
    await claimAttachments(tx, context, { sender, messageId: id, pathIds, requestId })
    if (beginsBetween) noteGuestVisibility(effects, await settleConversation(tx, beginsBetween, cause))
    return { id, automaticVisibility }
  })
  if (beginsBetween) await context.bringEffects(effects, cause)
  if (callsWebhooks) context.webhookCalls.wake()
  return sent
}

/** The event that tells of the message carries it, so it has its ID before the message is stored. */
async function newSubmessage(tx: Tx, senderId: number, widget: Widget): Promise<NewSubmessage> {
  const id = await nextSubmessageId(tx)
  return { id, sender_id: senderId, msg_type: 'widget', content: JSON.stringify(widget) }
}
