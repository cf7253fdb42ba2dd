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

/** Saves the projection unless a newer version is stored, so the order of arrival doesn't matter. */
export async function saveKnownRealm(db: Queryable, projection: RealmProjection): Promise<void> {
  await db.query(
    `insert into known_realms (realm_id, string_id, version, projection)
     values ($1, $2, $3, $4)
         on conflict (realm_id) do update
        set (string_id, version, projection) = (excluded.string_id, excluded.version, excluded.projection)
      where known_realms.version < excluded.version`,
    [projection.realm_id, projection.string_id, projection.version, JSON.stringify(projection)],
  )
}
