import type { Queryable } from '@tms/service-kit'

/** Adds jobs with the library's function, in one statement. */
export async function insertJobs(
  tx: Queryable,
  name: string,
  jobs: readonly {
    readonly payload: unknown
    readonly runAt: Date | null
    readonly key: string | null
    readonly priority: number
    /** The library's number, if null. */
    readonly maxAttempts: number | null
  }[],
): Promise<void> {
  await tx.query(
    `select count(*)::int as added
       from graphile_worker.add_jobs(array(
              select row($1::text, payload::json, null, run_at::timestamptz, max_attempts, key, priority, null)::graphile_worker.job_spec
                from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::int[])
                       as job (payload, run_at, key, priority, max_attempts)))`,
    [
      name,
      jobs.map(({ payload }) => JSON.stringify(payload)),
      jobs.map(({ runAt }) => runAt?.toISOString() ?? null),
      jobs.map(({ key }) => key),
      jobs.map(({ priority }) => priority),
      jobs.map(({ maxAttempts }) => maxAttempts),
    ],
  )
}

/** Removes jobs that haven't run, with the library's function. */
export async function deleteJobs(tx: Queryable, keys: readonly string[]): Promise<void> {
  await tx.query(
    'select removed.id::text from unnest($1::text[]) as key, lateral graphile_worker.remove_job(key) as removed',
    [keys],
  )
}

/** Jobs of a priority that wait, for their first attempt or another one, at most so many of each. */
export async function countQueuedJobs(
  db: Queryable,
  priority: number,
  most: { readonly first: number; readonly again: number },
): Promise<{ readonly first: number; readonly again: number }> {
  const countOf = (condition: string, limit: string) => `
    (select count(*)::int
       from (select
               from graphile_worker._private_jobs
              where priority = $1
                and is_available
                and ${condition}
              limit ${limit}) queued)`
  const { rows } = await db.query<{ first: number; again: number }>(
    `select ${countOf('attempts = 0', '$2')} as first, ${countOf('attempts > 0', '$3')} as again`,
    [priority, most.first, most.again],
  )
  return rows[0] ?? { first: 0, again: 0 }
}
