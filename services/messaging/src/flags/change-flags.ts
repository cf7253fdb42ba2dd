import { badRequest, domainEvents } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { followingMoves, MessageMovedError } from '../messages/follow-moves.ts'
import { listMessageViews } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { keepInPlaces } from '../messages/place-locks.queries.ts'
import type { EditableFlag } from './flag.rules.ts'
import { type FlaggableMessage, listFlaggable } from './flaggable.queries.ts'
import { detailsOfUnread } from './message-details.ts'
import { addHistoricalRows, clearMark, setMark } from './message-flags.queries.ts'
import { lockReading, markRead, markUnread } from './reading.queries.ts'

export interface FlagChange {
  readonly flag: EditableFlag
  readonly op: 'add' | 'remove'
  /** Each once, ascending. */
  readonly messageIds: readonly number[]
}

/**
 * Adds or removes a flag on messages and tells of those whose flag changed, which it returns, in order.
 * Throws BAD_REQUEST for a message that the caller may not flag, SERVICE_UNAVAILABLE where messages move all the time.
 */
export async function changeFlags(
  context: Pick<Context, 'db' | 'publish' | 'relay'>,
  caller: Caller,
  requestId: string,
  change: FlagChange,
): Promise<number[]> {
  const { flag, op } = change
  const changed = await followingMoves(context.db, async (tx) => {
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
  if (changed.length > 0) context.relay.wake()
  return changed
}

/**
 * Makes the change and returns the messages whose flag it changed, in order. Throws `MessageMovedError` where one was moved
 * before it was kept in its place.
 */
async function applyChange(tx: Tx, caller: Caller, { flag, op, messageIds }: FlagChange): Promise<number[]> {
  if (flag === 'read' && op === 'add') {
    await lockReading(tx, caller.userId, messageIds)
    return markRead(tx, caller.userId, messageIds)
  }
  if (flag !== 'read' && op === 'remove') return clearMark(tx, caller.userId, flag, messageIds)

  // What is noted of a message goes with it: until it is noted, the message stays.
  const placeIds = await keepInPlaces(tx, caller.realmId, messageIds)
  if (flag === 'read') await lockReading(tx, caller.userId, messageIds)
  // Told apart under the locks: another request may be marking the same messages.
  const known = await listFlaggable(tx, caller, messageIds)
  if (known.some(({ recipientId }) => !placeIds.has(recipientId))) throw new MessageMovedError()
  if (flag === 'read') {
    const { allIds, missedIds } = checkAccess(caller, messageIds, known, isOpenToReading)
    if (missedIds.length > 0) await addHistoricalRows(tx, caller.userId, missedIds)
    return markUnread(tx, caller.userId, allIds, missedIds)
  }
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
  return detailsOfUnread(caller.userId, await listMessageViews(tx, caller, messageIds, {}))
}
