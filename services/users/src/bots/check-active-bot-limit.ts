import type { Account } from '../kernel/accounts/account.queries.ts'
import { listActiveBotIds } from '../kernel/bots/bot.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { checkActiveBotCount } from './bot.rules.ts'

/**
 * Throws BAD_REQUEST if the user can't own another active bot. Lock the user first, or two requests could exceed the
 * limit.
 */
export async function checkActiveBotLimit(tx: PrismaTx, { realmId, id, role }: Account): Promise<void> {
  checkActiveBotCount({ role }, (await listActiveBotIds(tx, realmId, id)).length)
}
