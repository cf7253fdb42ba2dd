import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'

/** Lets one transaction at a time claim a name in an organization. Take it after all other locks. */
export async function lockFullNames(tx: PrismaTx, realmId: number): Promise<void> {
  const sql = `select pg_advisory_xact_lock(hashtextextended('names of ' || $1::integer, 0))`
  await asTx(tx).query(sql, [realmId])
}

/** Everyone's name, deactivated people and bots included. */
export function listFullNames(tx: PrismaTx, realmId: number): Promise<{ id: number; fullName: string }[]> {
  return tx.account.findMany({ where: { realmId }, select: { id: true, fullName: true } })
}
