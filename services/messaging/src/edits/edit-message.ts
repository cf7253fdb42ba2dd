import { type AttachmentRecord, badRequest, type EditHistoryEntry, type endpoints } from '@tms/contracts'
import { type Handler, type Tx, transact } from '@tms/service-kit'
import { listOwnRecordsAmong } from '../attachments/attachment-record.queries.ts'
import { replaceAttachments } from '../attachments/release-attachments.ts'
import type { Context } from '../kernel/context.ts'
import { lockRecipients } from '../kernel/locks/recipient-locks.queries.ts'
import { lockForRemoval } from '../kernel/locks/removal-locks.queries.ts'
import { type EditableMessage, findEditableMessage } from '../kernel/messages/editable-message.queries.ts'
import { findHolders } from '../kernel/messages/holders.queries.ts'
import { recordAddedMentions } from '../missed-messages/added-mention.queries.ts'
import { announceLostAccess } from '../moves/announce-lost-access.ts'
import { carryUserState, lockUserState } from '../moves/carry-user-state.ts'
import { listMovable } from '../moves/movable.queries.ts'
import type { MovePlan } from '../moves/plan-move.ts'
import { storeMoveNotices } from '../moves/store-move-notices.ts'
import { announceUpdate } from './announce-update.ts'
import { areChannelsUnchanged } from './are-channels-unchanged.ts'
import { listReceivers, replaceMentionFlags } from './message-receivers.queries.ts'
import { type EditPlan, type EditRequest, planEdit, type TextPlan } from './plan-edit.ts'
import { recordEdit } from './record-edit.queries.ts'
import { updateText } from './text.queries.ts'

/** Attempts before giving up because the message or its channel changed meanwhile. */
const MAX_TRIES = 10
/**
 * Attempts that are also repeated if the number of messages that move has changed. A topic may be too busy to
 * count them exactly, and the mover would wait as long as it is.
 */
const MAX_COUNTED_TRIES = 3

/** Changes the text of a message, or moves it with others of its topic. */
export const handleEditMessage: Handler<typeof endpoints.messaging.editMessage, Context> = async (
  request,
) => {
  const { context } = request
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const plan = await planEdit(request)
    const applied = await transact(context.db, (tx) =>
      applyEdit(tx, request, plan, tries <= MAX_COUNTED_TRIES),
    )
    if (applied) return { detached_uploads: [...applied.detached] }
  }
  throw badRequest('The message is being changed by others; look at it and try again.')
}

/** What an edit did beside its event. */
interface AppliedEdit {
  /** The caller's files that nothing links any longer. */
  readonly detached: readonly AttachmentRecord[]
}

/**
 * Applies an edit: lock → recheck → persist → publish, as for sends. Returns null if the plan no longer fits. Unless
 * `isCounted`, the number of messages in the notices may be outdated.
 */
async function applyEdit(
  tx: Tx,
  request: EditRequest,
  plan: EditPlan,
  isCounted: boolean,
): Promise<AppliedEdit | null> {
  const { view, text, move, edit } = plan
  const { context, caller, requestId } = request
  // Lock
  if (move) await lockForRemoval(tx, [move.source.recipientId, move.target.recipientId])
  else await lockRecipients(tx, [view.recipientId])

  // Recheck
  const rechecked = await recheckPlan(tx, caller, plan, isCounted)
  if (!rechecked) return null
  const { before, messageIds } = rechecked

  // Persist and publish: what changes for single users before the update, and last the notices, which are messages
  const cause = { realmId: caller.realmId, requestId }
  const topics = { oldTopic: view.topic, newTopic: edit.topic ?? view.topic }
  if (move) await lockUserState(tx, caller.realmId, { ...move, ...topics }, messageIds)
  const holders = await findHolders(tx, view, messageIds)
  const detached = text ? await applyText(tx, request, plan, text) : []
  const at = context.now()
  await storeChange(tx, plan, before, messageIds, at)
  if (move) {
    await carryUserState(
      tx,
      context,
      { ...move, ...topics },
      { messageIds, informedIds: holders.user_ids },
      cause,
    )
    await announceLostAccess(tx, context, move, { topic: view.topic, messageIds, holders }, requestId)
  }
  await announceUpdate(tx, request, plan, { before, messageIds, holders, at })
  await storeMoveNotices(tx, context, move?.notices ?? [], requestId)
  return { detached }
}

/**
 * Returns the message as it is under the locks, and all messages that the edit concerns; null if the plan no longer
 * fits. Throws BAD_REQUEST if the message was deleted.
 */
async function recheckPlan(
  tx: Tx,
  caller: EditRequest['caller'],
  plan: EditPlan,
  isCounted: boolean,
): Promise<{ before: EditableMessage; messageIds: number[] } | null> {
  const { view, move } = plan
  const before = await findEditableMessage(tx, view.id)
  if (!before) throw badRequest('Invalid message(s)')
  if (before.recipientId !== view.recipientId || (move && before.topic !== view.topic)) return null
  if (!(await areChannelsUnchanged(tx, caller, plan))) return null
  const messageIds = move ? await selectMessages(tx, move) : [view.id]
  if (messageIds === null || (move && messageIds.length !== move.count && isCounted)) return null
  return { before, messageIds }
}

/**
 * Selects the messages that move, under the locks; null if the whole topic was to move and others arrived
 * meanwhile.
 */
async function selectMessages(
  tx: Tx,
  { selection, receivedBy, isWhole }: MovePlan,
): Promise<number[] | null> {
  const selected = await listMovable(tx, selection, receivedBy)
  if (isWhole && selection.mode !== 'change_all') {
    const all = await listMovable(tx, { ...selection, mode: 'change_all' }, receivedBy)
    if (all.length > selected.length) return null
  }
  return selected.map(({ id }) => id)
}

async function applyText(
  tx: Tx,
  request: EditRequest,
  { view }: EditPlan,
  text: TextPlan,
): Promise<AttachmentRecord[]> {
  const { context, caller, requestId } = request
  const location = { messageId: view.id, recipientId: view.recipientId, channelId: view.channel?.id ?? null }
  const mentionedUserIds = await listReceivers(tx, location, text.concerned.mentionedUserIds)
  await recordAddedMentions(tx, view.id, mentionedUserIds)
  await updateText(tx, view.id, text)
  await replaceMentionFlags(tx, view.id, {
    mentionedUserIds,
    alertedUserIds: await listReceivers(tx, location, text.concerned.alertedUserIds),
  })
  const unused = await replaceAttachments(tx, context, {
    sender: caller,
    messageId: view.id,
    pathIds: text.pathIds,
    requestId,
  })
  return listOwnRecordsAmong(tx, caller.userId, unused)
}

/** Moves the messages to their target, and adds the change to the history of each. */
async function storeChange(
  tx: Tx,
  { view, text, move, user }: EditPlan,
  before: EditableMessage,
  messageIds: readonly number[],
  at: Date,
): Promise<void> {
  const destination = {
    recipientId: move?.target.recipientId ?? view.recipientId,
    channelId: move?.target.id ?? view.channel?.id ?? null,
    topic: move?.topic ?? null,
    isResolution: move?.isResolution ?? false,
  }
  const entry: EditHistoryEntry = { user_id: user.user_id, timestamp: Math.floor(at.getTime() / 1000) }
  if (!text) return recordEdit(tx, messageIds, destination, { entry, at })
  const textEntry = {
    ...entry,
    prev_content: before.content,
    prev_rendered_content: before.html,
  }
  const others = messageIds.filter((id) => id !== view.id)
  await recordEdit(tx, [view.id], destination, { entry: textEntry, at })
  await recordEdit(tx, others, destination, { entry, at })
}
