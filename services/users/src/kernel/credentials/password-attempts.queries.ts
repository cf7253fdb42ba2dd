import type { Queryable } from '@tms/service-kit'

interface Window {
  readonly max: number
  readonly windowSeconds: number
}

/**
 * Counts an attempt unless the user name has had `max` in the window. The row lock makes this safe for concurrent
 * attempts. A refused attempt doesn't count.
 */
export async function claimPasswordAttempt(
  db: Queryable,
  realmId: number,
  username: string,
  { max, windowSeconds }: Window,
): Promise<boolean> {
  const { rows } = await db.query(
    `insert into password_attempts as existing (realm_id, username, attempted_at)
     values ($1, $2, array[clock_timestamp()])
     on conflict (realm_id, username) do update
        set attempted_at = array(
              select at from unnest(existing.attempted_at) at
               where at > clock_timestamp() - $4 * interval '1 s'
            ) || clock_timestamp()
      where (select count(*) from unnest(existing.attempted_at) at
              where at > clock_timestamp() - $4 * interval '1 s') < $3
     returning true`,
    [realmId, username, max, windowSeconds],
  )
  return rows.length > 0
}

/** Seconds until the oldest counted attempt leaves the window. */
export async function getSecondsToNextAttempt(
  db: Queryable,
  realmId: number,
  username: string,
  { max, windowSeconds }: Window,
): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select extract(epoch from at - clock_timestamp())::float8 + $4 as seconds
       from password_attempts, unnest(attempted_at) at
      where realm_id = $1
        and username = $2
      order by at desc
      limit 1 offset $3 - 1`,
    [realmId, username, max, windowSeconds],
  )
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Removes an attempt whose password wasn't checked. */
export async function withdrawPasswordAttempt(
  db: Queryable,
  realmId: number,
  username: string,
): Promise<void> {
  await db.query(
    `with last as (
       delete from password_attempts where realm_id = $1 and username = $2 and cardinality(attempted_at) <= 1
     )
     update password_attempts
        set attempted_at = trim_array(attempted_at, 1)
      where realm_id = $1 and username = $2 and cardinality(attempted_at) > 1`,
    [realmId, username],
  )
}

/** Called after a correct password. */
export async function deletePasswordAttempts(
  db: Queryable,
  realmId: number,
  username: string,
): Promise<void> {
  await db.query('delete from password_attempts where realm_id = $1 and username = $2', [realmId, username])
}

/** Deletes user names whose last attempt has left the window. */
export async function deleteOldPasswordAttempts(db: Queryable, windowSeconds: number): Promise<void> {
  await db.query(
    `delete from password_attempts
      where attempted_at[cardinality(attempted_at)] < clock_timestamp() - $1 * interval '1 s'`,
    [windowSeconds],
  )
}
