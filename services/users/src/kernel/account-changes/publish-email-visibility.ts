import { domainEvents } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import { listRestrictedAddresses } from '../addresses/email-visibility.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { addressChangesOf } from './email-visibility.rules.ts'

/** An event becomes one client event per address, and at most 2,048 are allowed. */
const MAX_ADDRESSES = 1_000

/** Publishes which addresses a user gains or loses by a change of role. */
export async function publishEmailVisibility(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  if (after.role === before.role) return
  const viewer = { id: after.id, roleBefore: before.role, role: after.role }
  const addresses = addressChangesOf(viewer, await listRestrictedAddresses(tx, after.realmId))
  for (let start = 0; start < addresses.length; start += MAX_ADDRESSES) {
    await publish(
      tx,
      domainEvents.users.emailVisibilityChanged,
      { user_id: after.id, addresses: addresses.slice(start, start + MAX_ADDRESSES) },
      { realmId: after.realmId, requestId },
    )
  }
}
