import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { lockOwnPlaces, markAllRead } from './bulk-reading.queries.ts'

/** Marks everything that the caller received as read, at the cost of their subscriptions and conversations. */
export const handleMarkAllAsRead: Handler<typeof endpoints.messaging.markAllAsRead, Context> = async ({
  caller,
  context,
  requestId,
}) => {
  const hasChanged = await inTransaction(context.db, async (tx) => {
    // The event speaks of all messages before it, so none may get its place in the log meanwhile.
    await lockOwnPlaces(tx, caller.userId)
    if (!(await markAllRead(tx, caller.userId))) return false
    await context.publish(
      tx,
      domainEvents.messaging.messageFlagsUpdated,
      { user_id: caller.userId, op: 'add', flag: 'read', messages: [], all: true },
      { realmId: caller.realmId, requestId },
    )
    return true
  })
  if (hasChanged) context.relay.wake()
  return { complete: true }
}
