import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { lockOwnRecipients, markAllRead } from './bulk-reading.queries.ts'

/**
 * Marks everything that the caller received as read. The cost grows with the caller's subscriptions and
 * conversations.
 */
export const handleMarkAllAsRead: Handler<typeof endpoints.messaging.markAllAsRead, Context> = async ({
  caller,
  context,
  requestId,
}) => {
  await transact(context.db, async (tx) => {
    // The event is about all messages before it, so none may enter the log in between.
    await lockOwnRecipients(tx, caller.userId)
    if (!(await markAllRead(tx, caller.userId))) return
    await context.publish(
      tx,
      domainEvents.messaging.messageFlagsUpdated,
      { user_id: caller.userId, op: 'add', flag: 'read', messages: [], all: true },
      { realmId: caller.realmId, requestId },
    )
  })
  context.pushRemovals.note(caller.userId)
  return { complete: true }
}
