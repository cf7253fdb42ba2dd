import type { Queryable } from '@tms/service-kit'

const expired = [
  'delete from invitations where expires_at < $1',
  'delete from address_confirmations where expires_at < $1',
  // A confirmed address can use an expired link until its own key expires, a day later.
  `delete from invitation_links where expires_at < $1::timestamptz - interval '1 day'`,
  'delete from password_resets where expires_at < $1',
  `delete from invitation_counts where day < ($1::timestamptz at time zone 'utc')::date`,
  `delete from mail_requests where requested_at[cardinality(requested_at)] < $1::timestamptz - interval '1 day'`,
] as const

/** Deletes rows that nobody can use and no limit counts. */
export async function deleteExpired(db: Queryable, now: Date): Promise<void> {
  for (const statement of expired) await db.query(statement, [now])
}
