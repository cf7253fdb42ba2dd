import { EmailVisibility } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'

/** Someone's address, and who may see it. */
export interface OwnedAddress {
  readonly id: number
  readonly deliveryEmail: string
  readonly emailAddressVisibility: number
}

const LOCK = `hashtextextended('sight of addresses in ' || $1::integer, 0)`

/**
 * Lets addresses, their visibility and bots change at once with others, and with no change of roles, who sees them by
 * role being told of all of them then. Take either lock before telling of the change.
 */
export async function shareEmailVisibilityLock(tx: PrismaTx, realmId: number): Promise<void> {
  await asTx(tx).query(`select pg_advisory_xact_lock_shared(${LOCK})::text`, [realmId])
}

/** Keeps addresses, their visibility and bots as they are until the transaction ends. */
export async function lockEmailVisibility(tx: PrismaTx, realmId: number): Promise<void> {
  await asTx(tx).query(`select pg_advisory_xact_lock(${LOCK})::text`, [realmId])
}

/** The addresses in an organization that not everyone may see, by ID. */
export function listGuardedAddresses(tx: PrismaTx, realmId: number): Promise<OwnedAddress[]> {
  return tx.account.findMany({
    where: { realmId, emailAddressVisibility: { not: EmailVisibility.everyone } },
    select: { id: true, deliveryEmail: true, emailAddressVisibility: true },
    orderBy: { id: 'asc' },
  })
}
