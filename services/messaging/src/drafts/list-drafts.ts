import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listDrafts } from './draft.queries.ts'
import { checkDraftSyncEnabled } from './prepare-drafts.ts'

/** Lists the caller's drafts. */
export const handleListDrafts: Handler<typeof endpoints.messaging.listDrafts, Context> = async ({
  caller,
  context,
}) => {
  await checkDraftSyncEnabled(context, caller)
  const drafts = await listDrafts(context.db, caller.userId)
  return { count: drafts.length, drafts }
}
