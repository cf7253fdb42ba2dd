import { badRequest } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { MessageMovedError } from './follow-moves.ts'
import { listMessageViews, type MessageView } from './message-view.queries.ts'
import { canSeeMessage } from './message-view.rules.ts'
import { keepInPlaces } from './place-locks.queries.ts'
import { lockMessage } from './store-message.queries.ts'

/**
 * Locks a message and returns it as the caller sees it. For what hangs on one message and tells its own story,
 * such as reactions: it gets the order of that message's events, and senders to the channel need not wait, as
 * they would for the recipient's lock. Nobody leaves the message's place meanwhile, so that who is told of it is who is
 * there when it is told. Take it before any other lock, in `followingMoves`. Throws BAD_REQUEST for one that the caller can't
 * see, whether it exists or not, and `MessageMovedError`.
 */
export async function lockVisibleMessage(tx: Tx, caller: Caller, messageId: number): Promise<MessageView> {
  const placeIds = await keepInPlaces(tx, caller.realmId, [messageId])
  await lockMessage(tx, messageId)
  // A statement of its own: its snapshot is later than the lock.
  const [view] = await listMessageViews(tx, caller, [messageId], {})
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
  if (!placeIds.has(view.recipientId)) throw new MessageMovedError()
  return view
}
