import { AppError, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { checkDrafts, checkSynchronizing } from './check-drafts.ts'
import { replaceDraft } from './draft.queries.ts'

/** Replaces a draft of the caller's. */
export const handleUpdateDraft: Handler<typeof endpoints.messaging.updateDraft, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await checkSynchronizing(context, caller)
  const drafts = await checkDrafts(context, caller, [input.draft])
  const { userId: user_id, realmId } = caller
  await inTransaction(context.db, async (tx) => {
    for (const checked of drafts) {
      const draft = { id: input.draft_id, ...checked }
      if (!(await replaceDraft(tx, user_id, draft))) {
        throw new AppError('NO_SUCH_OBJECT', { message: 'Draft does not exist' })
      }
      await context.publish(
        tx,
        domainEvents.messaging.draftUpdated,
        { user_id, draft },
        { realmId, requestId },
      )
    }
  })
  context.relay.wake()
  return {}
}
