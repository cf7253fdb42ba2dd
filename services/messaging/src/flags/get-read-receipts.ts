import { badRequest, type endpoints } from '@tms/contracts'
import { type Handler, readWithSnapshot } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews } from '../kernel/messages/message-view.queries.ts'
import { listReaders } from './read-receipts.queries.ts'

/** Lists users who have read a message and send read receipts. */
export const handleGetReadReceipts: Handler<typeof endpoints.messaging.getReadReceipts, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { enable_read_receipts } = await context.projections.getRealm(caller.realmId)
  if (!enable_read_receipts) throw badRequest('Read receipts are disabled in this organization.')
  // In one snapshot, because a move carries over who has read a message.
  const { result } = await readWithSnapshot(context.db, async (tx) => {
    const [view] = await listMessageViews(tx, caller, [input.message_id], {})
    if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
    return listReaders(tx, caller.userId, view)
  })
  return { user_ids: result }
}
