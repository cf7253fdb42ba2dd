import { domainEvents, type endpoints, limits } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { checkQuota } from '../kernel/messages/unsent-quota.rules.ts'
import { insertDrafts, lockDraftSync, measureDrafts } from './draft.queries.ts'
import { checkDraftSyncEnabled, draftSyncDisabledError, prepareDrafts } from './prepare-drafts.ts'

/** Creates drafts, all or none. */
export const handleCreateDrafts: Handler<typeof endpoints.messaging.createDrafts, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await checkDraftSyncEnabled(context, caller)
  const drafts = await prepareDrafts(context, caller, input.drafts ?? [])
  if (drafts.length === 0) return { ids: [] }
  const { userId: user_id, realmId } = caller
  const ids = await transact(context.db, async (tx) => {
    if (!(await lockDraftSync(tx, user_id))) throw draftSyncDisabledError()
    const ids = await insertDrafts(tx, user_id, drafts)
    checkQuota('drafts', await measureDrafts(tx, user_id), limits.maxDrafts)
    const saved = ids.map((id, index) => ({ id, ...(drafts[index] as (typeof drafts)[number]) }))
    await context.publish(
      tx,
      domainEvents.messaging.draftsCreated,
      { user_id, drafts: saved },
      { realmId, requestId },
    )
    return ids
  })
  return { ids }
}
