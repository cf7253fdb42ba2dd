import { badRequest, type RealmFacts } from '@tms/contracts'
import type { PrismaTx } from '../context.ts'
import { listFullNames, lockFullNames } from './full-name.queries.ts'
import { nameKey } from './full-name.rules.ts'

/**
 * Throws BAD_REQUEST where the organization wants names to be unique and someone else has this one, deactivated
 * people included. Until the transaction ends nobody else claims a name there, so call it after taking all other
 * locks, right before writing the name. `ownId` is whose name it is to be; null for a new account.
 */
export async function claimFullName(
  tx: PrismaTx,
  realm: Pick<RealmFacts, 'realm_id' | 'require_unique_names'>,
  fullName: string,
  ownId: number | null,
): Promise<void> {
  if (!realm.require_unique_names) return
  await lockFullNames(tx, realm.realm_id)
  // Folded here, since the database folds by its locale; names change seldom enough to look at all of them.
  const key = nameKey(fullName)
  const all = await listFullNames(tx, realm.realm_id)
  if (all.some((other) => other.id !== ownId && nameKey(other.fullName) === key))
    throw badRequest('The name is already in use; names are unique in this organization')
}
