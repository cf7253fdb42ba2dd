import type { Queryable } from '@tms/service-kit'

/**
 * Counts a test of an account's devices. Returns how many there have been within the minute that began with the first of
 * them, and the seconds until it ends.
 */
export async function countPushTest(
  db: Queryable,
  accountId: number,
): Promise<{ readonly count: number; readonly secondsLeft: number }> {
  const { rows } = await db.query<{ count: number; secondsLeft: number }>(
    `insert into push_tests as before (account_id, begun_at, count)
     values ($1, now(), 1)
         on conflict (account_id) do update
            set begun_at = case when before.begun_at > now() - interval '1 minute' then before.begun_at else now() end,
                count = case when before.begun_at > now() - interval '1 minute' then before.count + 1 else 1 end
     returning count, extract(epoch from begun_at + interval '1 minute' - now())::float8 as "secondsLeft"`,
    [accountId],
  )
  return rows[0] as { count: number; secondsLeft: number }
}
