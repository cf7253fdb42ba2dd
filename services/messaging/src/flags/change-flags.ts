import { badRequest, domainEvents } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { shareRemovalLocks } from '../kernel/locks/removal-locks.queries.ts'
import { MessageMovedError, retryAfterMoves } from '../kernel/locks/retry-after-moves.ts'
import { listMessageViews } from '../kernel/messages/message-view.queries.ts'
import type { EditableFlag } from './flag.rules.ts'
import { type FlaggableMessage, listFlaggable } from './flaggable.queries.ts'
import { detailsOfUnread } from './message-details.ts'
import { addHistoricalRows, clearFlag, setFlag } from './message-flags.queries.ts'
import { lockReading, markRead, markUnread } from './reading.queries.ts'

export interface FlagChange {
  readonly flag: EditableFlag
  readonly op: 'add' | 'remove'
  /** Without duplicates, ascending. */
  readonly messageIds: readonly number[]
}

/**
 * Adds or removes a flag on messages, and publishes and returns those whose flag changed, in order. Throws
 * BAD_REQUEST for a message that the caller may not flag, SERVICE_UNAVAILABLE if messages keep moving.
 */
export async function changeFlags(
  context: Pick<Context, 'db' | 'publish'>,
  caller: Caller,
  requestId: string,
  change: FlagChange,
): Promise<number[]> {
  const { flag, op } = change
  return retryAfterMoves(context.db, async (tx) => {
    const messages = await applyChange(tx, caller, change)
    if (messages.length === 0) return messages
    const isUnread = flag === 'read' && op === 'remove'
    await context.publish(
      tx,
      domainEvents.messaging.messageFlagsUpdated,
      {
        user_id: caller.userId,
        op,
        flag,
        messages,
        all: false,
        ...(isUnread ? { message_details: await findDetails(tx, caller, messages) } : {}),
      },
      { realmId: caller.realmId, requestId },
    )
    return messages
  })
}

/**
 * Applies the change and returns the messages whose flag changed, in order. Throws `MessageMovedError` if one was
 * moved before its removal lock was acquired.
 */
async function applyChange(tx: Tx, caller: Caller, { flag, op, messageIds }: FlagChange): Promise<number[]> {
  if (flag === 'read' && op === 'add') {
    await lockReading(tx, caller.userId, messageIds)
    return markRead(tx, caller.userId, messageIds)
  }
  if (flag !== 'read' && op === 'remove') return clearFlag(tx, caller.userId, flag, messageIds)

  // A flag is deleted with its message, so the message must stay until the flag is stored.
  const lockedRecipientIds = await shareRemovalLocks(tx, caller.realmId, messageIds)
  if (flag === 'read') await lockReading(tx, caller.userId, messageIds)
  // Read under the locks: another request may be marking the same messages.
  const known = await listFlaggable(tx, caller, messageIds)
  if (known.some(({ recipientId }) => !lockedRecipientIds.has(recipientId))) throw new MessageMovedError()
  if (flag === 'read') {
    const { allIds, missedIds } = selectAllowed(caller, messageIds, known, isOpenToReading)
    if (missedIds.length > 0) await addHistoricalRows(tx, caller.userId, missedIds)
    return markUnread(tx, caller.userId, allIds, missedIds)
  }
  const { allIds, missedIds } = selectAllowed(caller, messageIds, known, () => true)
  return setFlag(tx, caller.userId, flag, allIds, missedIds)
}

/** Messages of channels without a subscription can't be unread. */
const isOpenToReading = ({ channel }: FlaggableMessage): boolean => channel?.isSubscribed ?? true

/**
 * Returns the messages that are `wanted`, and those of them that the user never received. Throws BAD_REQUEST if
 * the user may not see one of them, or one of the request doesn't exist, since a row would have to be created for
 * it.
 */
function selectAllowed(
  caller: Caller,
  requestedIds: readonly number[],
  known: readonly FlaggableMessage[],
  wanted: (message: FlaggableMessage) => boolean,
): { allIds: number[]; missedIds: number[] } {
  const messages = known.filter(wanted)
  const isAllowed = (message: FlaggableMessage) =>
    message.isReceived || message.isHistorical || canSeeMessage(caller, message)
  if (known.length < requestedIds.length || !messages.every(isAllowed)) throw badRequest('Invalid message(s)')
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
  return detailsOfUnread(caller.userId, await listMessageViews(tx, caller, messageIds, {}))
}
