import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { type Account, lockAccount } from '../kernel/accounts/account.queries.ts'
import { listBots } from '../kernel/bots/bot.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/**
 * Lowers the roles of a user's bots, including deactivated ones, to the owner's power: the owner has their keys. The
 * owner must be locked, as in every change of a bot's role.
 */
export async function limitBotRoles(tx: PrismaTx, owner: Account, requestId: string): Promise<void> {
  const { realmId, id: ownerId, role } = owner
  for (const { account } of await listBots(tx, { realmId, ownerId, role: null })) {
    const bot = await lockAccount(tx, realmId, account.id)
    if (bot && bot.role < role) await changeAccount(tx, bot, { role }, requestId)
  }
}
