import type { PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'

/** Serializes new accounts with an address, and locks the invitations to it, until the transaction ends. */
export async function lockAdmissions(tx: PrismaTx, realmId: number, foldedEmail: string): Promise<void> {
  tx.lockRecord.add(locks.invitations)
  await tx.query(
    `select true as locked from pg_advisory_xact_lock(hashtext('sign-up'), hashtext($1::int || ' ' || $2::text))`,
    [realmId, foldedEmail],
  )
  await tx.query(
    `select id
       from invitations
      where email_lower = $2
        and realm_id = $1
      order by id
        for update`,
    [realmId, foldedEmail],
  )
}
