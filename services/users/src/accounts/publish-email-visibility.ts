import { domainEvents } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import type { Person } from './account.queries.ts'
import {
  listGuardedAddresses,
  lockEmailVisibility,
  shareEmailVisibilityLock,
} from './email-visibility.queries.ts'
import { addressChangesOf } from './email-visibility.rules.ts'

const publish = publisherOf('users')

/** Addresses in one event: each is one of the 2,048 client events that it becomes at most. */
const MAX_ADDRESSES = 1_000

/** Gives a change of who sees which address its place among the others, before anything is told of it. */
export async function orderEmailVisibilityChange(
  tx: PrismaTx,
  realmId: number,
  change: Prisma.AccountUncheckedUpdateInput,
): Promise<void> {
  if ('role' in change) await lockEmailVisibility(tx, realmId)
  else if ('deliveryEmail' in change || 'emailAddressVisibility' in change)
    await shareEmailVisibilityLock(tx, realmId)
}

/** Tells someone whose role has changed whose addresses they see, and whose no longer. */
export async function publishEmailVisibility(
  tx: PrismaTx,
  before: Person,
  after: Person,
  requestId: string | null,
): Promise<void> {
  if (after.role === before.role) return
  const viewer = { id: after.id, roleBefore: before.role, role: after.role }
  const addresses = addressChangesOf(viewer, await listGuardedAddresses(tx, after.realmId))
  for (let start = 0; start < addresses.length; start += MAX_ADDRESSES) {
    await publish(
      asTx(tx),
      domainEvents.users.emailVisibilityChanged,
      { user_id: after.id, addresses: addresses.slice(start, start + MAX_ADDRESSES) },
      { realmId: after.realmId, requestId },
    )
  }
}
