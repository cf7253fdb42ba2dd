import type { Cause, Tx } from '@tms/service-kit'
import { publishUnstarred } from '../flags/publish-unstarred.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { publishFirstMessages } from '../kernel/channels/publish-first-messages.ts'
import type { Context } from '../kernel/context.ts'
import { relink } from '../kernel/messages/relink.queries.ts'
import { carryRanges, deleteLostFlags, lockHolders } from './carry-ranges.queries.ts'
import { lockMovedVisibility, moveVisibility } from './move-visibility.ts'
import type { MovePlan } from './plan-move.ts'

type Moved = Pick<MovePlan, 'source' | 'target' | 'isWhole'> & {
  readonly oldTopic: string
  readonly newTopic: string
}

/**
 * Carries over what users received and have read of messages whose rows are already in the target channel, and
 * their topic policies if the whole topic moved. Needs the locks of both recipients and of `lockHolders`.
 * `informedIds` are users without a subscription who receive an event about the messages.
 */
export async function carryUserState(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  move: Moved,
  { messageIds, informedIds }: { messageIds: readonly number[]; informedIds: readonly number[] },
  cause: Cause,
): Promise<void> {
  const { source, target } = move
  if (source.id !== target.id) {
    const before = await listChannelRecords(tx, [source.id, target.id])
    await relink(tx, source.recipientId, messageIds)
    await relink(tx, target.recipientId, messageIds)
    await carryRanges(tx, source.id, target, messageIds)
    const stars = await deleteLostFlags(tx, source.id, target, messageIds)
    await publishUnstarred(tx, context, stars, informedIds, cause)
    await publishFirstMessages(tx, context, before, cause)
  }
  if (move.isWhole) await moveVisibility(tx, context, { ...topicsOf(move), messageIds }, cause)
}

/**
 * Locks what `carryUserState` reads. Call it after locking both recipients, and before the rows of messages
 * change.
 */
export async function lockUserState(
  tx: Tx,
  realmId: number,
  move: Moved,
  messageIds: readonly number[],
): Promise<void> {
  const { source, target } = move
  if (move.isWhole) {
    const { from, to } = topicsOf(move)
    await lockMovedVisibility(tx, realmId, from, to)
  }
  if (source.id !== target.id) await lockHolders(tx, source.id, target.id, messageIds)
}

const topicsOf = ({ source, target, oldTopic, newTopic }: Moved) => ({
  from: { channel: source, topic: oldTopic },
  to: { channel: target, topic: newTopic },
})
