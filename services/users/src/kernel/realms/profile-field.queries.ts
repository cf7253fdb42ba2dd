import type { ProfileField } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../locks.ts'

/** Share-locks an organization's profile fields until the transaction ends. Null for an unknown organization. */
export async function lockProfileFields(tx: Tx, realmId: number): Promise<ProfileField[] | null> {
  tx.lockRecord.add(locks.profileFields, [realmId])
  const { rows } = await tx.query<{ fields: ProfileField[] | null }>(
    `select projection -> 'custom_profile_fields' as fields from known_realms where realm_id = $1 for share`,
    [realmId],
  )
  return rows[0]?.fields ?? null
}

/** Empty for an unknown organization. */
export async function listProfileFields(db: Queryable, realmId: number): Promise<ProfileField[]> {
  const { rows } = await db.query<{ fields: ProfileField[] }>(
    `select projection -> 'custom_profile_fields' as fields from known_realms where realm_id = $1`,
    [realmId],
  )
  return rows[0]?.fields ?? []
}
