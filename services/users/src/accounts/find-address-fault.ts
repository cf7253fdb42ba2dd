import type { RealmProjection } from '@tms/contracts'
import type { PrismaTx } from '../context.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { addressFault } from './new-address.rules.ts'
import { findTakenAddresses } from './taken-addresses.ts'

/** Why nobody new can have the address, for people; null if someone can. */
export async function findAddressFault(
  db: PrismaClient | PrismaTx,
  realm: RealmProjection,
  address: string,
): Promise<string | null> {
  const fault = addressFault(address, realm)
  if (fault !== null) return fault
  const taken = await findTakenAddresses(db, realm, [address])
  return taken.size > 0 ? `The e-mail address ${address} is already in use` : null
}
