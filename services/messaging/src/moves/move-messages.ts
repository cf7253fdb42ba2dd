import type { Cause, Tx } from '@tms/service-kit'
import { announceFirstMessages } from '../channels/announce-first-messages.ts'
import { listChannelRecords } from '../channels/channel-record.queries.ts'
import type { Context } from '../context.ts'
import { carryRanges, dropLostFlags, lockHolders } from './carry-ranges.queries.ts'
import { lockMovedVisibility, moveVisibility } from './move-visibility.ts'
import type { MovePlan } from './plan-move.ts'
import { relink } from './relocate.queries.ts'

/** What `follow` needs to know of a move. */
type Moved = Pick<MovePlan, 'source' | 'target' | 'isWhole'> & {
  readonly oldTopic: string
  readonly newTopic: string
}

/**
 * Takes along what users hold and have read of messages whose rows are in the target channel already, and how they
 * want to see the topic if all of it went. Needs the locks of both channels' places and of `lockHolders`.
 */
export async function follow(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  move: Moved,
  messageIds: readonly number[],
  cause: Cause,
): Promise<void> {
  const { source, target } = move
  if (source.id !== target.id) {
    const before = await listChannelRecords(tx, [source.id, target.id])
    await relink(tx, source.recipientId, messageIds)
    await relink(tx, target.recipientId, messageIds)
    await carryRanges(tx, source.id, target, messageIds)
    await dropLostFlags(tx, target, messageIds)
    await announceFirstMessages(tx, context, before, cause)
  }
  if (move.isWhole) await moveVisibility(tx, context, { ...topicsOf(move), messageIds }, cause)
}

/** Locks what `follow` reads; call it once both places are locked, and before the messages' rows change. */
export async function lockFollowing(
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
