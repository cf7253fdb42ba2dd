import { badRequest } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { foldFullName } from './full-name.rules.ts'

/** What whoever wants a name that is taken is told. */
export const NAME_IN_USE = 'The name is in use; please choose another'

/** Throws BAD_REQUEST when someone else of the organization has the name; see `isFullNameFree`. */
export async function checkFullNameIsFree(
  tx: PrismaTx,
  realmId: number,
  name: string,
  exceptId: number | null,
): Promise<void> {
  if (!(await isFullNameFree(tx, realmId, name, exceptId))) throw badRequest(NAME_IN_USE)
}

/**
 * Whether nobody else of the organization has the name, deactivated ones included. Until the transaction ends nobody
 * else takes a name here, so of two who want one, one gets it.
 */
export async function isFullNameFree(
  tx: PrismaTx,
  realmId: number,
  name: string,
  exceptId: number | null,
): Promise<boolean> {
  const db = asTx(tx)
  await db.query(
    `select pg_advisory_xact_lock(hashtextextended('full names of organization ' || $1::int, 0))::text`,
    [realmId],
  )
  const { rows } = await db.query<{ name: string }>(
    'select full_name as name from accounts where realm_id = $1 and id is distinct from $2',
    [realmId, exceptId],
  )
  const folded = foldFullName(name)
  return !rows.some((other) => foldFullName(other.name) === folded)
}
