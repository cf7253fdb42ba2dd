import type { AnyIntegration } from '@tms/integrations'
import { transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findActiveOwner } from '../kernel/projections/find-active-owner.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { prepareNotice, storeDirectNotice } from '../messages/notices.ts'
import { type DeliveryOutcome, reasonOf, writeFailureNotice, writeUnreadNotice } from './delivery.rules.ts'
import { beginOwnerNotice, isOwnerNoticeDue, listChannelsWithoutReaders } from './owner-notice.queries.ts'

/**
 * Notifies the owner of a bot if a delivery was not posted, or was posted in a channel to which nobody is subscribed; at most
 * once a minute, which is asked first, since most failures come in great number.
 */
export async function notifyOwner(
  context: Context,
  posted: {
    readonly bot: KnownUser
    readonly integration: AnyIntegration
    readonly outcome: DeliveryOutcome
  },
): Promise<void> {
  const { bot, integration, outcome } = posted
  if (outcome.error === null && outcome.messageIds.length === 0) return
  if (!(await isOwnerNoticeDue(context.db, bot.user_id))) return
  const text = await writeNotice(context, bot, integration, outcome)
  const owner = text === null ? null : await findActiveOwner(context.projections, bot)
  if (text === null || !owner) return
  const notice = await prepareNotice(context, bot.realm_id, text)
  await transact(context.db, async (tx) => {
    if (await beginOwnerNotice(tx, { realmId: bot.realm_id, botId: bot.user_id }))
      await storeDirectNotice(tx, notice, { user: owner, requestId: null })
  })
}

/** What the owner should know; null if there is nothing. */
async function writeNotice(
  { db }: Context,
  bot: KnownUser,
  { displayName }: AnyIntegration,
  { error, messageIds }: DeliveryOutcome,
): Promise<string | null> {
  if (error !== null) return writeFailureNotice({ bot, displayName, reason: reasonOf(error) })
  const channels = await listChannelsWithoutReaders(db, { messageIds, botId: bot.user_id })
  return channels.length === 0 ? null : writeUnreadNotice({ bot, displayName, channels })
}
