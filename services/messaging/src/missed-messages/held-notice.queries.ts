import type { Queryable } from '@tms/service-kit'
import type { WaitingNotice } from './push-notice.queries.ts'

/** Messages that wait for one user: of more the summary says so many. */
const MAX_HELD = 2_000

/** Has notices of a user wait until a moment, and drops them where so many wait that one more says nothing. */
export async function holdNotices(
  db: Queryable,
  userId: number,
  ids: readonly string[],
  until: Date,
): Promise<void> {
  await db.query({
    name: 'hold-push-notices',
    text: `
      with waiting as (
        select count(*) as count
          from (select from push_notices where user_id = $1 and held_until is not null limit ${MAX_HELD}) held
      ), dropped as (
        delete from push_notices
         where id = any($2::uuid[])
           and held_until is null
           and (select count from waiting) >= ${MAX_HELD}
      )
      update push_notices
         set held_until = $3,
             attempt_at = $3,
             attempts = 0
       where id = any($2::uuid[])
         and (held_until is not null or (select count from waiting) < ${MAX_HELD})`,
    values: [userId, ids, until.toISOString()],
  })
}

/** Has what waits for these users looked at again at once: their settings may have changed. */
export async function releaseHeld(db: Queryable, userIds: readonly number[]): Promise<void> {
  await db.query({
    name: 'release-held-push-notices',
    text: `
      update push_notices
         set attempt_at = now()
       where user_id = any($1::bigint[])
         and held_until is not null
         and attempts = 0
         and attempt_at > now()`,
    values: [userIds],
  })
}

/** Users whose held notices are due, at most `limit`. */
export async function listUsersWithDueHeld(db: Queryable, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-users-with-due-held-push-notices',
    text: `
      select distinct user_id as "userId"
        from (select user_id
                from push_notices
               where attempt_at <= now()
                 and held_until is not null
               order by attempt_at
               limit 500) due
       limit $1`,
    values: [limit],
  })
  return rows.map(({ userId }) => userId)
}

/**
 * Leases all notices that were held for a user, together, so that one notice can stand for them; those that were leased
 * together before stay by themselves, since users may have that notice already. Empty if another replica has them. Afterwards another may take them: after `leaseMs`, and later with each attempt.
 */
export async function leaseHeld(db: Queryable, userId: number, leaseMs: number): Promise<WaitingNotice[]> {
  const { rows } = await db.query<WaitingNotice>({
    name: 'lease-held-push-notices',
    text: `
      with oldest as materialized (
        select attempts, attempt_at
          from push_notices
         where user_id = $1
           and held_until is not null
           and attempt_at <= now()
         order by attempt_at
         limit 1
      ), chosen as materialized (
        select id
          from push_notices
         where user_id = $1
           and held_until is not null
           and attempt_at <= now()
           and case (select attempts from oldest)
                 when 0 then attempts = 0
                 else attempts > 0 and attempt_at = (select attempt_at from oldest)
               end
         order by id
           for update skip locked
      )
      update push_notices
         set attempts = attempts + 1,
             attempt_at = now() + $2 * least(attempts + 1, 20) * interval '1 millisecond'
       where id in (select id from chosen)
         and attempt_at <= now()
      returning id, realm_id as "realmId", user_id as "userId", trigger, group_id as "groupId",
                to_json(message_ids) as "messageIds", attempts,
                extract(epoch from now() - held_until)::float8 as age`,
    values: [userId, leaseMs],
  })
  return rows
}
