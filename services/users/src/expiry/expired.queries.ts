import type { Queryable } from '@tms/service-kit'

/** Tables with the condition under which a row is expired at `$1`. */
const EXPIRED = {
  invitations: 'expires_at < $1',
  address_confirmations: 'expires_at < $1',
  // A confirmed address can use an expired link until its own key expires, a day later.
  invitation_links: `expires_at < $1::timestamptz - interval '1 day'`,
  password_resets: 'expires_at < $1',
  // Listed for a while, so that people see why a program stopped.
  api_tokens: `expires_at < $1::timestamptz - interval '30 days'`,
  invitation_counts: `day < ($1::timestamptz at time zone 'utc')::date`,
  mail_requests: `requested_at[cardinality(requested_at)] < $1::timestamptz - interval '1 day'`,
  // Messaging doesn't hand over again after a day, and no limit counts longer.
  missed_message_batches: `handed_over_at < $1::timestamptz - interval '7 days'`,
  push_hand_overs: `handed_over_at < $1::timestamptz - interval '3 days'`,
  push_deliveries: 'expires_at < $1',
  push_tests: `begun_at < $1::timestamptz - interval '1 day'`,
  // Answered after a day, unless the installation has no push relay service any more.
  sealed_registrations: `registered_at < $1::timestamptz - interval '2 days'`,
  reply_addresses: 'expires_at < $1',
  // Nobody repeats one after a year.
  announcements: `created_at < $1::timestamptz - interval '1 year'`,
} as const

/** Deletes rows that nobody can use and no limit counts. Leaves locked ones to the next time. */
export async function deleteExpired(db: Queryable, now: Date): Promise<void> {
  for (const [table, condition] of Object.entries(EXPIRED)) {
    const unlocked = `select ctid from ${table} where ${condition} for update skip locked`
    await db.query(`delete from ${table} where ctid = any (array(${unlocked}))`, [now])
  }
}

/**
 * Deletes mails that were given up and quote messages or replies: nobody would send them any more. Users of announcements are
 * forgotten, so that the operator's command, if it is repeated, reaches them.
 */
export async function deleteGivenUpMails(db: Queryable): Promise<void> {
  await db.query(
    `with given_up as materialized (
       select id, (payload ->> 'announcementId')::int as announcement_id, (payload ->> 'userId')::int as user_id
         from graphile_worker._private_jobs
        where attempts >= max_attempts
          and locked_at is null
          and (payload -> 'missedBy' is not null or payload -> 'recipient' is not null
               or payload -> 'announcementId' is not null)
     ), forgotten as (
       delete from announcement_recipients r
        using given_up g
        where r.announcement_id = g.announcement_id
          and r.user_id = g.user_id
     )
     select count(*)::int as count from graphile_worker.complete_jobs(array(select id from given_up))`,
  )
}
