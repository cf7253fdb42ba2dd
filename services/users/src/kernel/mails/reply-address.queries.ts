import { createHash } from 'node:crypto'
import type { Queryable } from '@tms/service-kit'

/**
 * How long an address takes replies: longer than a holiday, after which people answer old mails. Longer lets those who
 * come by an old mail write in its recipient's name.
 */
const VALID_MS = 30 * 86_400_000

/** An address for replies, as it is stored. */
export interface NewReplyAddress {
  readonly token: string
  readonly accountId: number
  /** The message whose conversation a reply goes to; null to try replies out. */
  readonly messageId: number | null
}

/** Stores addresses, valid for 30 days. */
export async function addReplyAddresses(
  tx: Queryable,
  added: readonly NewReplyAddress[],
  now: Date,
): Promise<void> {
  if (added.length === 0) return
  await tx.query(
    `insert into reply_addresses (token_hash, account_id, message_id, expires_at)
     select token_hash, account_id, message_id, $4
       from unnest($1::bytea[], $2::int[], $3::bigint[]) as added (token_hash, account_id, message_id)`,
    [
      added.map(({ token }) => hashOf(token)),
      added.map(({ accountId }) => accountId),
      added.map(({ messageId }) => messageId),
      new Date(now.getTime() + VALID_MS).toISOString(),
    ],
  )
}

/** Has replies to an address go to where another message is. */
export async function moveReplyAddress(db: Queryable, token: string, messageId: number): Promise<void> {
  await db.query('update reply_addresses set message_id = $2 where token_hash = $1 returning message_id', [
    hashOf(token),
    messageId,
  ])
}

/** The account that a token lets write, and where. */
export interface ReplyAddress {
  readonly realmId: number
  readonly accountId: number
  readonly messageId: number | null
}

/** The address of a token; null if it is unknown or expired, or the account is deactivated. */
export async function findReplyAddress(
  db: Queryable,
  token: string,
  now: Date,
): Promise<ReplyAddress | null> {
  const { rows } = await db.query<ReplyAddress>(
    `select a.realm_id as "realmId", r.account_id as "accountId", r.message_id as "messageId"
       from reply_addresses r
       join accounts a on a.id = r.account_id and a.is_active
       join known_realms k on k.realm_id = a.realm_id and k.is_active
      where r.token_hash = $1
        and r.expires_at > $2`,
    [hashOf(token), now.toISOString()],
  )
  return rows[0] ?? null
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
