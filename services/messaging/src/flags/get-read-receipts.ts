import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listMessageViews } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { listReaders } from './read-receipts.queries.ts'

/** Who has read a message, of those who let others know. */
export const handleGetReadReceipts: Handler<typeof endpoints.messaging.getReadReceipts, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { enable_read_receipts } = await context.directory.getRealm(caller.realmId)
  if (!enable_read_receipts) throw badRequest('Read receipts are disabled in this organization.')
  const [view] = await listMessageViews(context.db, caller, [input.message_id], {})
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
  return { user_ids: await listReaders(context.db, caller.userId, view) }
}
