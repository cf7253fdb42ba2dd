import { badRequest, domainEvents } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { isWithinLimit } from '../kernel/access/channel-limit.rules.ts'
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

/** What a change of flags did. */
export interface ChangedFlags {
  /** Those whose flag changed, in order. */
  readonly messages: number[]
  /** Channels whose messages stay read for want of a subscription, ascending. */
  readonly ignoredChannelIds: number[]
}

/**
 * Adds or removes a flag on messages, and publishes those whose flag changed. Throws BAD_REQUEST for a message that the
 * caller may not flag, SERVICE_UNAVAILABLE if messages keep moving.
 */
export async function changeFlags(
  context: Pick<Context, 'db' | 'publish' | 'pushRemovals'>,
  caller: Caller,
  requestId: string,
  change: FlagChange,
): Promise<ChangedFlags> {
  const { flag, op } = change
  const result = await retryAfterMoves(context.db, async (tx) => {
    const changed = await applyChange(tx, caller, change)
    const { messages } = changed
    if (messages.length === 0) return changed
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
    return changed
  })
  if (flag === 'read' && result.messages.length > 0) context.pushRemovals.note(caller.userId)
  return result
}

/**
 * Applies the change. Throws `MessageMovedError` if a message was moved before its removal lock was acquired.
 */
async function applyChange(
  tx: Tx,
  caller: Caller,
  { flag, op, messageIds }: FlagChange,
): Promise<ChangedFlags> {
  if (flag === 'read' && op === 'add') {
    await lockReading(tx, caller.userId, messageIds)
    return onlyMessages(await markRead(tx, caller.userId, messageIds))
  }
  if (flag !== 'read' && op === 'remove')
    return onlyMessages(await clearFlag(tx, caller.userId, flag, messageIds))

  // A flag is deleted with its message, so the message must stay until the flag is stored.
  const lockedRecipientIds = await shareRemovalLocks(tx, caller.realmId, messageIds)
  if (flag === 'read') await lockReading(tx, caller.userId, messageIds)
  // Read under the locks: another request may be marking the same messages.
  const known = await listFlaggable(tx, caller, messageIds)
  if (known.some(({ recipientId }) => !lockedRecipientIds.has(recipientId))) throw new MessageMovedError()
  if (flag === 'read') {
    const { allIds, missedIds } = selectAllowed(caller, messageIds, known, isOpenToReading)
    if (missedIds.length > 0) await addHistoricalRows(tx, caller.userId, missedIds)
    const messages = await markUnread(tx, caller.userId, allIds, missedIds)
    return { messages, ignoredChannelIds: unsubscribedChannelsOf(caller, known) }
  }
  const { allIds, missedIds } = selectAllowed(caller, messageIds, known, () => true)
  return onlyMessages(await setFlag(tx, caller.userId, flag, allIds, missedIds))
}

const onlyMessages = (messages: number[]): ChangedFlags => ({ messages, ignoredChannelIds: [] })

/** Messages of channels without a subscription can't be unread. */
const isOpenToReading = ({ channel }: FlaggableMessage): boolean => channel?.isSubscribed ?? true

/** Without the channels of messages that the caller may not see, of which the caller learns nothing. */
function unsubscribedChannelsOf(caller: Caller, known: readonly FlaggableMessage[]): number[] {
  const ids = known
    .filter((message) => !isOpenToReading(message) && isAllowed(caller, message))
    .flatMap(({ channel }) => channel?.id ?? [])
  return [...new Set(ids)].sort((one, other) => one - other)
}

const isAllowed = (caller: Caller, message: FlaggableMessage): boolean =>
  isWithinLimit(caller, message.channel?.id ?? null) &&
  (message.isReceived || message.isHistorical || canSeeMessage(caller, message))

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
  const areAllowed = messages.every((message) => isAllowed(caller, message))
  if (known.length < requestedIds.length || !areAllowed) throw badRequest('Invalid message(s)')
  return {
    allIds: messages.map(({ id }) => id),
    missedIds: messages.filter(({ isReceived }) => !isReceived).map(({ id }) => id),
  }
}

async function findDetails(
  tx: Tx,
  caller: Caller,
  messageIds: readonly number[],
): Promise<ReturnType<typeof detailsOfUnread>> {
  return detailsOfUnread(caller.userId, await listMessageViews(tx, caller, messageIds, {}))
}
