import { AppError, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { checkTotalSize } from '../kernel/messages/unsent-quota.rules.ts'
import { lockDraftSync, measureDrafts, replaceDraft } from './draft.queries.ts'
import { checkDraftSyncEnabled, draftSyncDisabledError, prepareDrafts } from './prepare-drafts.ts'

/** Replaces a draft of the caller. */
export const handleUpdateDraft: Handler<typeof endpoints.messaging.updateDraft, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await checkDraftSyncEnabled(context, caller)
  const drafts = await prepareDrafts(context, caller, [input.draft])
  const { userId: user_id, realmId } = caller
  await transact(context.db, async (tx) => {
    if (!(await lockDraftSync(tx, user_id))) throw draftSyncDisabledError()
    for (const checked of drafts) {
      const draft = { id: input.draft_id, ...checked }
      if (!(await replaceDraft(tx, user_id, draft))) {
        throw new AppError('NO_SUCH_OBJECT', { message: 'Draft does not exist' })
      }
      checkTotalSize('drafts', await measureDrafts(tx, user_id))
      await context.publish(
        tx,
        domainEvents.messaging.draftUpdated,
        { user_id, draft },
        { realmId, requestId },
      )
    }
  })
  return {}
}
