import type { Queryable } from '@tms/service-kit'
import { closeEmailChanges } from '../kernel/account-changes/ended-rights.queries.ts'

const KEY_LIFETIME = `interval '1 day'`

/** An address that waits for confirmation. */
export interface EmailChange {
  readonly id: string
  readonly accountId: number
  readonly realmId: number
  readonly newEmail: string
}

/** Ages in seconds of an account's requests of the last day, newest first. Lock the account first. */
export async function listAgesOfRequests(tx: Queryable, accountId: number): Promise<number[]> {
  const { rows } = await tx.query<{ age: number }>(
    `select extract(epoch from clock_timestamp() - requested_at)::float8 as age
       from email_changes
      where account_id = $1
        and requested_at > clock_timestamp() - interval '1 day'
      order by requested_at desc`,
    [accountId],
  )
  return rows.map(({ age }) => age)
}

/** Stores a request as the account's only open one, and deletes those that no longer count. */
export async function saveEmailChange(
  tx: Queryable,
  change: { accountId: number; newEmail: string; keyHash: Uint8Array },
): Promise<void> {
  await closeEmailChanges(tx, change.accountId)
  await tx.query(
    `delete from email_changes
      where account_id = $1 and requested_at < clock_timestamp() - ${KEY_LIFETIME}`,
    [change.accountId],
  )
  await tx.query(
    `insert into email_changes (account_id, new_email, key_hash, requested_at)
     values ($1, $2, $3, clock_timestamp())`,
    [change.accountId, change.newEmail, change.keyHash],
  )
}

/** Null for an unknown, used, superseded or expired key. */
export async function findOpenEmailChange(db: Queryable, keyHash: Uint8Array): Promise<EmailChange | null> {
  const { rows } = await db.query<EmailChange>(
    `select c.id::text, c.account_id as "accountId", a.realm_id as "realmId", c.new_email as "newEmail"
       from email_changes c
       join accounts a on a.id = c.account_id
      where c.key_hash = $1
        and c.is_open
        and c.requested_at > clock_timestamp() - ${KEY_LIFETIME}`,
    [keyHash],
  )
  return rows[0] ?? null
}

/** False if the request was used or superseded. Lock the account first. */
export async function claimEmailChange(tx: Queryable, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'update email_changes set is_open = false where id = $1::bigint and is_open returning true',
    [id],
  )
  return rows.length > 0
}
