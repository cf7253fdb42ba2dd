import type { RealmProjection } from '@tms/contracts'
import type { PrismaDb } from '../database/prisma-tx.ts'
import { findPolicyFault } from './new-address.rules.ts'
import { findTakenAddresses } from './taken-addresses.ts'

/** Why a new account can't have the address, as a text for the user; null if it can. */
export async function findAddressFault(
  db: PrismaDb,
  realm: RealmProjection,
  address: string,
): Promise<string | null> {
  const fault = findPolicyFault(address, realm)
  if (fault !== null) return fault
  const taken = await findTakenAddresses(db, realm, [address])
  return taken.size > 0 ? `The e-mail address ${address} is already in use` : null
}
