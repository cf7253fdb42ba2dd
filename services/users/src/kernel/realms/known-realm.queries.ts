import type { RealmProjection } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** By subdomain. */
export async function findKnownRealmByStringId(
  db: Queryable,
  stringId: string,
): Promise<RealmProjection | null> {
  const { rows } = await db.query<{ projection: RealmProjection }>(
    `select projection from known_realms where string_id = $1 order by realm_id limit 1`,
    [stringId],
  )
  return rows[0]?.projection ?? null
}

export async function findKnownRealmById(db: Queryable, realmId: number): Promise<RealmProjection | null> {
  const { rows } = await db.query<{ projection: RealmProjection }>(
    `select projection from known_realms where realm_id = $1`,
    [realmId],
  )
  return rows[0]?.projection ?? null
}

/** Whether a known organization is active; null for an unknown one. */
export async function findRealmActivity(db: Queryable, realmId: number): Promise<boolean | null> {
  const { rows } = await db.query<{ isActive: boolean }>({
    name: 'realm-activity',
    text: `select is_active as "isActive" from known_realms where realm_id = $1`,
    values: [realmId],
  })
  return rows[0]?.isActive ?? null
}
