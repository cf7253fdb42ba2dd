import type { Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks.ts'

/**
 * Whether no active account of the organization has the name, case-insensitively. Takes a lock until the transaction
 * ends, so that two requests can't both claim the name.
 */
export async function claimBotName(tx: Tx, realmId: number, name: string): Promise<boolean> {
  tx.lockRecord.add(locks.names, [name])
  await tx.query(
    `select pg_advisory_xact_lock(hashtext('name'), hashtext($1::int || lower($2::text)))::text`,
    [realmId, name],
  )
  const { rows } = await tx.query(
    `select 1 as found from accounts where realm_id = $1 and is_active and lower(full_name) = lower($2) limit 1`,
    [realmId, name],
  )
  return rows.length === 0
}
