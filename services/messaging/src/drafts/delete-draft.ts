import { AppError, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { deleteDraft } from './draft.queries.ts'
import { checkDraftSyncEnabled } from './prepare-drafts.ts'

/** Deletes a draft of the caller. */
export const handleDeleteDraft: Handler<typeof endpoints.messaging.deleteDraft, Context> = async ({
  input: { draft_id },
  caller,
  context,
  requestId,
}) => {
  await checkDraftSyncEnabled(context, caller)
  const { userId: user_id, realmId } = caller
  await transact(context.db, async (tx) => {
    if (!(await deleteDraft(tx, user_id, draft_id))) {
      throw new AppError('NO_SUCH_OBJECT', { message: 'Draft does not exist' })
    }
    await context.publish(
      tx,
      domainEvents.messaging.draftDeleted,
      { user_id, draft_id },
      { realmId, requestId },
    )
  })
  return {}
}
