import type { RealmFacts } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** The known organization of a subdomain. */
export async function findKnownRealmByStringId(db: Queryable, stringId: string): Promise<RealmFacts | null> {
  const { rows } = await db.query<{ facts: RealmFacts }>(
    `select facts from known_realms where string_id = $1 order by realm_id limit 1`,
    [stringId],
  )
  return rows[0]?.facts ?? null
}

/** The known organization of an ID. */
export async function findKnownRealmById(db: Queryable, realmId: number): Promise<RealmFacts | null> {
  const { rows } = await db.query<{ facts: RealmFacts }>(
    `select facts from known_realms where realm_id = $1`,
    [realmId],
  )
  return rows[0]?.facts ?? null
}

/** Whether anybody may use a known organization; null for an unknown one. */
export async function findRealmActivity(db: Queryable, realmId: number): Promise<boolean | null> {
  const { rows } = await db.query<{ isActive: boolean }>({
    name: 'realm-activity',
    text: `select is_active as "isActive" from known_realms where realm_id = $1`,
    values: [realmId],
  })
  return rows[0]?.isActive ?? null
}

/** Keeps the facts unless newer ones are kept already; the order in which they arrive doesn't matter. */
export async function saveKnownRealm(db: Queryable, facts: RealmFacts): Promise<void> {
  await db.query(
    `insert into known_realms (realm_id, string_id, version, facts)
     values ($1, $2, $3, $4)
         on conflict (realm_id) do update
        set (string_id, version, facts) = (excluded.string_id, excluded.version, excluded.facts)
      where known_realms.version < excluded.version`,
    [facts.realm_id, facts.string_id, facts.version, JSON.stringify(facts)],
  )
}
