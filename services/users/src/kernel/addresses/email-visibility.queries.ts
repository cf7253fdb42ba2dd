import { EmailVisibility } from '@tms/contracts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'

/** An address, with the account that has it and its visibility. */
export interface OwnedAddress {
  readonly id: number
  readonly deliveryEmail: string
  readonly emailAddressVisibility: number
}

const LOCK = `hashtextextended('e-mail visibility in ' || $1::integer, 0)`

/**
 * Shared lock for changes of addresses, their visibility and bots: these run concurrently with each other but not
 * with changes of roles, which publish all of them. Take one of the two locks before publishing.
 */
export async function shareEmailVisibilityLock(tx: PrismaTx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.emailVisibility, [realmId])
  await tx.query(`select pg_advisory_xact_lock_shared(${LOCK})::text`, [realmId])
}

/** Exclusive lock: addresses, their visibility and bots stay unchanged until the transaction ends. */
export async function lockEmailVisibility(tx: PrismaTx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.emailVisibility, [realmId])
  await tx.query(`select pg_advisory_xact_lock(${LOCK})::text`, [realmId])
}

/** Addresses in an organization that not everyone may see, by ID. */
export function listRestrictedAddresses(tx: PrismaTx, realmId: number): Promise<OwnedAddress[]> {
  return tx.account.findMany({
    where: { realmId, emailAddressVisibility: { not: EmailVisibility.everyone } },
    select: { id: true, deliveryEmail: true, emailAddressVisibility: true },
    orderBy: { id: 'asc' },
  })
}
