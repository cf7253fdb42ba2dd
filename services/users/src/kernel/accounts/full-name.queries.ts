import { badRequest } from '@tms/contracts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'
import { foldFullName } from './full-name.rules.ts'

export const NAME_IN_USE = 'The name is in use; please choose another'

/** Throws BAD_REQUEST if another account has the name; see `claimFullName`. */
export async function checkFullNameIsFree(
  tx: PrismaTx,
  realmId: number,
  name: string,
  exceptId: number | null,
): Promise<void> {
  if (!(await claimFullName(tx, realmId, name, exceptId))) throw badRequest(NAME_IN_USE)
}

/** Locks names until the transaction ends, so two users can't both take one. */
export async function lockFullNames(tx: PrismaTx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.names, [realmId])
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('full names of organization ' || $1::int, 0))::text`,
    [realmId],
  )
}

/** Whether no other account of the organization has the name, including deactivated ones; see `lockFullNames`. */
export async function claimFullName(
  tx: PrismaTx,
  realmId: number,
  name: string,
  exceptId: number | null,
): Promise<boolean> {
  await lockFullNames(tx, realmId)
  const { rows } = await tx.query<{ name: string }>(
    'select full_name as name from accounts where realm_id = $1 and id is distinct from $2',
    [realmId, exceptId],
  )
  const folded = foldFullName(name)
  return !rows.some((other) => foldFullName(other.name) === folded)
}
