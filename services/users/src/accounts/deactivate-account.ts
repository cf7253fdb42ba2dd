import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { listActiveBotIds } from '../kernel/bots/bot.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { deleteIdentities } from '../kernel/sign-on/external-identity.queries.ts'

/**
 * Deactivates an account after its bots, with an event for each. Messages, subscriptions and what is
 * stored of groups stay. Who signs in elsewhere is linked anew, by the address, once the account is reactivated. Needs
 * `lockGroups`, then `beginAdministration`.
 */
export async function deactivateAccount(
  tx: PrismaTx,
  account: Account,
  requestId: string | null,
): Promise<void> {
  for (const botId of await listActiveBotIds(tx, account.realmId, account.id)) {
    const bot = await findAccount(tx, account.realmId, botId)
    if (bot) await changeAccount(tx, bot, { isActive: false }, requestId)
  }
  await changeAccount(tx, account, { isActive: false }, requestId)
  await deleteIdentities(tx, account.id)
}
