import type { Queryable } from '@tms/service-kit'

interface StoredToken {
  readonly tokenHash: Buffer
  readonly createdAt: Date
  /** Null if an operator made it. */
  readonly creatorId: number | null
}

export async function findToken(db: Queryable, realmId: number): Promise<StoredToken | null> {
  const { rows } = await db.query<StoredToken>(
    `select token_hash as "tokenHash", created_at as "createdAt", creator_id as "creatorId"
       from scim_tokens
      where realm_id = $1`,
    [realmId],
  )
  return rows[0] ?? null
}

/** An organization has one token; a later one replaces it. */
export async function saveToken(
  db: Queryable,
  { realmId, tokenHash, createdAt, creatorId }: StoredToken & { readonly realmId: number },
): Promise<void> {
  await db.query(
    `insert into scim_tokens (realm_id, token_hash, created_at, creator_id)
     values ($1, $2, $3, $4)
     on conflict (realm_id) do update
       set token_hash = excluded.token_hash, created_at = excluded.created_at, creator_id = excluded.creator_id`,
    [realmId, tokenHash, createdAt, creatorId],
  )
}

export async function deleteToken(db: Queryable, realmId: number): Promise<void> {
  await db.query('delete from scim_tokens where realm_id = $1', [realmId])
}
