import type { ApiTokenRecord, TokenScope } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

const RECORD = `
  t.id,
  t.account_id as user_id,
  t.name,
  t.scopes,
  t.channel_ids,
  floor(extract(epoch from t.created_at))::int as date_created,
  floor(extract(epoch from t.expires_at))::float8 as expires_at,
  floor(extract(epoch from t.last_used_at))::int as last_used`

interface NewApiToken {
  readonly accountId: number
  readonly name: string
  readonly hash: Uint8Array
  readonly scopes: readonly TokenScope[]
  /** Null if it isn't limited to channels. */
  readonly channelIds: readonly number[] | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** Lock the account first, so that its tokens can be counted. */
export async function insertApiToken(tx: Queryable, token: NewApiToken): Promise<ApiTokenRecord> {
  const { accountId, name, hash, scopes, channelIds, createdAt, expiresAt } = token
  const { rows } = await tx.query<ApiTokenRecord>(
    `insert into api_tokens as t (account_id, name, token_hash, scopes, channel_ids, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     returning ${RECORD}`,
    [accountId, name, hash, scopes, channelIds && JSON.stringify(channelIds), createdAt, expiresAt],
  )
  return rows[0] as ApiTokenRecord
}

export async function countApiTokens(tx: Queryable, accountId: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from api_tokens where account_id = $1',
    [accountId],
  )
  return rows[0]?.count ?? 0
}

/** The tokens of a user and of the user's bots, oldest first. */
export async function listApiTokensOf(
  db: Queryable,
  realmId: number,
  userId: number,
): Promise<ApiTokenRecord[]> {
  const { rows } = await db.query<ApiTokenRecord>(
    `select ${RECORD}
       from accounts a
       join api_tokens t on t.account_id = a.id
      where a.realm_id = $1 and (a.id = $2 or a.bot_owner_id = $2)
      order by t.id`,
    [realmId, userId],
  )
  return rows
}

/** A page of the tokens of an organization, oldest first. */
export async function listApiTokensOfRealm(
  db: Queryable,
  realmId: number,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<ApiTokenRecord[]> {
  const { rows } = await db.query<ApiTokenRecord>(
    `select ${RECORD}
       from api_tokens t
       join accounts a on a.id = t.account_id
      where a.realm_id = $1 and t.id > $2::bigint
      order by t.id
      limit $3`,
    [realmId, afterId, limit],
  )
  return rows
}

/** The account of a token of the organization; null if there is no token with this ID. */
export async function findAccountOfToken(db: Queryable, realmId: number, id: number): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `select a.id
       from api_tokens t
       join accounts a on a.id = t.account_id
      where t.id = $2::bigint and a.realm_id = $1`,
    [realmId, id],
  )
  return rows[0]?.id ?? null
}

/** Lock the account first. Returns whether the token existed. */
export async function deleteApiToken(tx: Queryable, accountId: number, id: number): Promise<boolean> {
  const { rows } = await tx.query(
    'delete from api_tokens where id = $2::bigint and account_id = $1 returning id',
    [accountId, id],
  )
  return rows.length > 0
}

export interface TokenHolder {
  readonly id: number
  readonly scopes: TokenScope[]
  /** Null if the token isn't limited to channels. */
  readonly channelIds: number[] | null
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly userId: number
  readonly realmId: number
  /** Folded. */
  readonly emails: readonly string[]
  readonly role: number
  readonly isActive: boolean
  readonly isBot: boolean
  readonly botType: number | null
}

/** What a token is stored under: if it isn't limited to channels, and if it is; null finds none of those. */
interface TokenHashes {
  readonly hash: Uint8Array
  readonly limitedHash: Uint8Array | null
}

/** A token of any organization by its hash, with its account. */
export async function findTokenHolder(
  db: Queryable,
  { hash, limitedHash }: TokenHashes,
): Promise<TokenHolder | null> {
  const { rows } = await db.query<TokenHolder>({
    name: 'find-token-holder',
    text: `
      select t.id,
             t.scopes,
             t.channel_ids as "channelIds",
             t.expires_at as "expiresAt",
             t.last_used_at as "lastUsedAt",
             a.id as "userId",
             a.realm_id as "realmId",
             array[a.email_lower, a.delivery_email_lower] as emails,
             a.role,
             a.is_active as "isActive",
             a.is_bot as "isBot",
             a.bot_type as "botType"
        from api_tokens t
        join accounts a on a.id = t.account_id
       where (t.token_hash = $1 and t.channel_ids is null)
          or (t.token_hash = $2 and t.channel_ids is not null)`,
    values: [hash, limitedHash],
  })
  return rows[0] ?? null
}

/** Nothing is cached of it, so it needs no lock. */
export async function saveLastUse(db: Queryable, id: number, now: Date): Promise<void> {
  await db.query('update api_tokens set last_used_at = $2 where id = $1', [id, now])
}
