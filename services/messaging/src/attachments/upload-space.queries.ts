import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks/locks.ts'

/** Total bytes of an organization's files. */
export async function findSpaceUsed(db: Queryable, realmId: number): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'find-space-used',
    text: `
      select bytes
        from upload_space
       where realm_id = $1`,
    values: [realmId],
  })
  return rows[0]?.bytes ?? 0
}

/**
 * Adds bytes to an organization's total and returns it; null if it would exceed the quota (null is no quota). Locks
 * the organization's row until the transaction ends.
 */
export async function takeSpace(
  tx: Tx,
  realmId: number,
  bytes: number,
  quotaBytes: number | null,
): Promise<number | null> {
  tx.lockRecord.add(locks.uploadSpace, [realmId])
  const { rows } = await tx.query<{ bytes: number }>(
    `insert into upload_space as used (realm_id, bytes)
     select $1, $2::bigint
      where $3::bigint is null or $2::bigint <= $3::bigint
         on conflict (realm_id) do update
        set bytes = used.bytes + excluded.bytes
      where $3::bigint is null or used.bytes + excluded.bytes <= $3::bigint
     returning bytes`,
    [realmId, bytes, quotaBytes],
  )
  return rows[0]?.bytes ?? null
}

/** Subtracts bytes from an organization's total and returns it. Locks its row. */
export async function freeSpace(tx: Tx, realmId: number, bytes: number): Promise<number> {
  tx.lockRecord.add(locks.uploadSpace, [realmId])
  const { rows } = await tx.query<{ bytes: number }>(
    `update upload_space
        set bytes = bytes - $2
      where realm_id = $1
     returning bytes`,
    [realmId, bytes],
  )
  return rows[0]?.bytes ?? 0
}
