import { EmailVisibility } from '@tms/contracts'
import type { PrismaTx } from '../database/prisma-tx.ts'

/** An address, with the account that has it and its visibility. */
export interface OwnedAddress {
  readonly id: number
  readonly deliveryEmail: string
  readonly emailAddressVisibility: number
}

/** Addresses in an organization that not everyone may see, by ID. */
export function listRestrictedAddresses(tx: PrismaTx, realmId: number): Promise<OwnedAddress[]> {
  return tx.account.findMany({
    where: { realmId, emailAddressVisibility: { not: EmailVisibility.everyone } },
    select: { id: true, deliveryEmail: true, emailAddressVisibility: true },
    orderBy: { id: 'asc' },
  })
}
