import type { ProfileField } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/**
 * The profile fields of an organization, which stay as they are until the transaction ends: whoever learns of others
 * waits. Null for an organization that isn't known.
 */
export async function lockProfileFields(tx: Queryable, realmId: number): Promise<ProfileField[] | null> {
  const { rows } = await tx.query<{ fields: ProfileField[] | null }>(
    `select projection -> 'custom_profile_fields' as fields from known_realms where realm_id = $1 for share`,
    [realmId],
  )
  return rows[0]?.fields ?? null
}

/** The profile fields of an organization as they are; none of one that isn't known. */
export async function findProfileFields(db: Queryable, realmId: number): Promise<ProfileField[]> {
  const { rows } = await db.query<{ fields: ProfileField[] }>(
    `select projection -> 'custom_profile_fields' as fields from known_realms where realm_id = $1`,
    [realmId],
  )
  return rows[0]?.fields ?? []
}

/** The next of those in an organization who have filled in anything, by ID. */
export async function listProfileOwners(
  db: Queryable,
  realmId: number,
  page: { afterId: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select id
       from accounts
      where realm_id = $1
        and id > $2
        and profile_data <> '{}'
      order by id
      limit $3`,
    [realmId, page.afterId, page.limit],
  )
  return rows.map(({ id }) => id)
}
