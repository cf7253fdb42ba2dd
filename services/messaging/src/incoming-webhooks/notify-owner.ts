import type { AnyIntegration } from '@tms/integrations'
import { transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findActiveOwner } from '../kernel/projections/find-active-owner.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { type Outcome, reasonOf, writeFailureNotice } from './delivery.rules.ts'
import { beginFailureNotice } from './webhook-delivery.queries.ts'

/** Notifies the owner of a bot of a failure, at most once a minute. */
export async function notifyOfFailure(
  context: Context,
  failure: { readonly bot: KnownUser; readonly integration: AnyIntegration; readonly outcome: Outcome },
): Promise<void> {
  const { bot, integration, outcome } = failure
  if (outcome.error === null) return
  const owner = await findActiveOwner(context.projections, bot)
  if (!owner) return
  const { displayName } = integration
  const text = writeFailureNotice({ bot, displayName, reason: reasonOf(outcome.error) })
  const notice = await prepareNotice(context, bot.realm_id, text)
  await transact(context.db, async (tx) => {
    if (await beginFailureNotice(tx, { realmId: bot.realm_id, botId: bot.user_id }))
      await storeDirectNotice(tx, notice, { user: owner, requestId: null })
  })
}
