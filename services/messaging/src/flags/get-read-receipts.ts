import { badRequest, type endpoints } from '@tms/contracts'
import { type Handler, readWithSnapshot } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getVisibleMessage } from '../kernel/messages/visible-message.ts'
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
    const message = await getVisibleMessage(tx, caller, input.message_id, { withArchived: true })
    return listReaders(tx, caller.userId, message)
  })
  return { user_ids: result }
}
