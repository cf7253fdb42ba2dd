import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import { type Caller, type Handler, inTransaction, type Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listMessageViews } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { type EditableFlag, parseEditableFlag, uniqueIds } from './flag.rules.ts'
import { type FlaggableMessage, listFlaggable } from './flaggable.queries.ts'
import { detailsOfUnread } from './message-details.ts'
import { addHistoricalRows, clearMark, setMark } from './message-flags.queries.ts'
import { lockReading, markRead, markUnread } from './reading.queries.ts'

/** Adds or removes a flag on messages. The event lists only what really changed. */
export const handleUpdateMessageFlags: Handler<
  typeof endpoints.messaging.updateMessageFlags,
  Context
> = async ({ input, caller, context, requestId }) => {
  const flag = parseEditableFlag(input.flag)
  const messageIds = uniqueIds(input.messages)

  const hasChanged = await inTransaction(context.db, async (tx) => {
    const changed = await applyChange(tx, caller, { flag, op: input.op, messageIds })
    if (changed.length === 0) return false
    const isUnread = flag === 'read' && input.op === 'remove'
    await context.publish(
      tx,
      domainEvents.messaging.messageFlagsUpdated,
      {
        user_id: caller.userId,
        op: input.op,
        flag,
        messages: changed,
        all: false,
        ...(isUnread ? { message_details: await findDetails(tx, caller, changed) } : {}),
      },
      { realmId: caller.realmId, requestId },
    )
    return true
  })
  if (hasChanged) context.relay.wake()
  return { messages: input.messages }
}

interface Change {
  readonly flag: EditableFlag
  readonly op: 'add' | 'remove'
  readonly messageIds: readonly number[]
}

/** Makes the change and returns the messages whose flag it changed, in order. */
async function applyChange(tx: Tx, caller: Caller, { flag, op, messageIds }: Change): Promise<number[]> {
  if (flag === 'read') {
    await lockReading(tx, caller.userId, messageIds)
    if (op === 'add') return markRead(tx, caller.userId, messageIds)
    // Told apart under the lock: another request may be marking the same messages.
    const known = await listFlaggable(tx, caller, messageIds)
    const { allIds, missedIds } = checkAccess(caller, messageIds, known, isOpenToReading)
    if (missedIds.length > 0) await addHistoricalRows(tx, caller.userId, missedIds)
    return markUnread(tx, caller.userId, allIds, missedIds)
  }
  if (op === 'remove') return clearMark(tx, caller.userId, flag, messageIds)
  const known = await listFlaggable(tx, caller, messageIds)
  const { allIds, missedIds } = checkAccess(caller, messageIds, known, () => true)
  return setMark(tx, caller.userId, flag, allIds, missedIds)
}

/** Messages of channels that the user is not subscribed to can't be unread. */
const isOpenToReading = ({ channel }: FlaggableMessage): boolean => channel?.isSubscribed ?? true

/**
 * Of the messages that are `wanted`, all and those that the user never received. Throws BAD_REQUEST when one of
 * them may not be seen, or one of the request doesn't exist: a row would have to be made for it.
 */
function checkAccess(
  caller: Caller,
  askedIds: readonly number[],
  known: readonly FlaggableMessage[],
  wanted: (message: FlaggableMessage) => boolean,
): { allIds: number[]; missedIds: number[] } {
  const messages = known.filter(wanted)
  const isAllowed = (message: FlaggableMessage) =>
    message.isReceived || message.isHistorical || canSeeMessage(caller, message)
  if (known.length < askedIds.length || !messages.every(isAllowed)) throw badRequest('Invalid message(s)')
  return {
    allIds: messages.map(({ id }) => id),
    missedIds: messages.filter(({ isReceived }) => !isReceived).map(({ id }) => id),
  }
}

async function findDetails(
  tx: Tx,
  caller: Caller,
  messageIds: readonly number[],
): Promise<Record<string, unknown>> {
  return detailsOfUnread(
    caller.userId,
    await listMessageViews(tx, caller, messageIds, { html: false, raw: false }),
  )
}
