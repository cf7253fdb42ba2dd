import type { Caller, Tx } from '@tms/service-kit'
import { lockMessage } from '../locks/recipient-locks.queries.ts'
import { shareRemovalLocks } from '../locks/removal-locks.queries.ts'
import { MessageMovedError } from '../locks/retry-after-moves.ts'
import type { MessageView } from './message-view.queries.ts'
import { getVisibleMessage } from './visible-message.ts'

/**
 * Locks a message and returns it as the caller sees it. For changes that concern only this message, such as
 * reactions: the lock orders the events of the message, and senders to the channel don't wait, as they would for
 * the lock of the recipient. Nobody loses access to the message meanwhile, so the recipients of the event stay the
 * same until it is published. Call it within `retryAfterMoves`. Throws BAD_REQUEST if the
 * caller may not see the message or it doesn't exist, and `MessageMovedError`.
 */
export async function lockVisibleMessage(tx: Tx, caller: Caller, messageId: number): Promise<MessageView> {
  const lockedRecipientIds = await shareRemovalLocks(tx, caller.realmId, [messageId])
  await lockMessage(tx, messageId)
  // A separate statement, so that its snapshot is newer than the lock.
  const view = await getVisibleMessage(tx, caller, messageId)
  if (!lockedRecipientIds.has(view.recipientId)) throw new MessageMovedError()
  return view
}
