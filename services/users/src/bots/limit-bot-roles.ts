import { changeAccount } from '../kernel/account-changes/change-account.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { listBots } from '../kernel/bots/bot.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/**
 * Lowers the roles of a user's bots, including deactivated ones, to the owner's power: the owner has their keys. The
 * owner and the bots must be locked under `lockAdministration`.
 */
export async function limitBotRoles(tx: PrismaTx, owner: Account, requestId: string | null): Promise<void> {
  const { realmId, id: ownerId, role } = owner
  for (const { account } of await listBots(tx, { realmId, ownerId, role: null })) {
    if (account.role < role) await changeAccount(tx, account, { role }, requestId)
  }
}
