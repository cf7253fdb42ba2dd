import { badRequest, type RealmFacts } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { nameKey } from './full-name.rules.ts'

/**
 * Throws BAD_REQUEST where the organization wants names to be unique and someone else has this one, deactivated
 * people included. Until the transaction ends nobody else claims a name there, so take it after all other locks,
 * right before writing the name.
 */
export async function claimFullName(
  tx: PrismaTx,
  realm: Pick<RealmFacts, 'realm_id' | 'require_unique_names'>,
  fullName: string,
  ownId: number | null,
): Promise<void> {
  if (!realm.require_unique_names) return
  const lock = `select pg_advisory_xact_lock(hashtextextended('names of ' || $1::integer, 0))`
  await asTx(tx).query(lock, [realm.realm_id])
  // Folded here, since the database folds by its locale; names change seldom enough to look at all of them.
  const { rows } = await asTx(tx).query<{ id: number; name: string }>(
    'select id, full_name as name from accounts where realm_id = $1',
    [realm.realm_id],
  )
  const key = nameKey(fullName)
  if (rows.some(({ id, name }) => id !== ownId && nameKey(name) === key))
    throw badRequest('The name is already in use; names are unique in this organization')
}
