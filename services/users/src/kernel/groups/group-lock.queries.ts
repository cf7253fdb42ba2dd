import type { Tx } from '@tms/service-kit'
import { locks } from '../locks.ts'

/** Serializes changes of an organization's groups, so that two changes can't combine to an invalid state. */
export async function lockGroups(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.groups, [realmId])
  await tx.query(`select 1 as locked from pg_advisory_xact_lock(hashtext('user groups'), $1::int)`, [realmId])
}
