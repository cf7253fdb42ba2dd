import { badRequest } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { foldFullName } from './full-name.rules.ts'

/**
 * Throws BAD_REQUEST when someone else of the organization has the name, deactivated or not. Until the transaction ends nobody
 * else takes a name here, so of two who want one, one gets it.
 */
export async function checkFullNameIsFree(
  tx: PrismaTx,
  realmId: number,
  name: string,
  exceptId: number,
): Promise<void> {
  const db = asTx(tx)
  await db.query(
    `select pg_advisory_xact_lock(hashtextextended('full names of organization ' || $1::int, 0))::text`,
    [realmId],
  )
  const { rows } = await db.query<{ name: string }>(
    'select full_name as name from accounts where realm_id = $1 and id <> $2',
    [realmId, exceptId],
  )
  const folded = foldFullName(name)
  if (rows.some((other) => foldFullName(other.name) === folded))
    throw badRequest('The name is in use; please choose another')
}
