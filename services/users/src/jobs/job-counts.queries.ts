import type { Queryable } from '@tms/service-kit'

export interface JobCounts {
  /** Jobs that are due, including running ones and those to be retried. */
  readonly waiting: number
  /** How long the oldest of them has been due; 0 if there is none. */
  readonly lagSeconds: number
  readonly givenUp: number
}

/**
 * Counts at most `most` jobs. A failed attempt delays a job by e^attempts seconds, at most e^10; the lag adds all
 * these delays.
 */
export async function countJobs(db: Queryable, most: number): Promise<JobCounts> {
  const { rows } = await db.query<JobCounts>(
    `with counted as (
       select run_at, locked_at, attempts, max_attempts, locked_at is null and attempts >= max_attempts as "isGivenUp"
         from graphile_worker.jobs
        where run_at <= now()
           or attempts > 0
        limit $1
     )
     select count(*) filter (where not "isGivenUp") as waiting,
            count(*) filter (where "isGivenUp") as "givenUp",
            coalesce(max(greatest(0, extract(epoch from now() - run_at) + delay.seconds)) filter (where not "isGivenUp"), 0)
              ::float8 as "lagSeconds"
       from counted
      cross join lateral (
              select coalesce(sum(exp(least(attempt, 10))), 0) as seconds
                from generate_series(1, attempts - (locked_at is not null)::int) as attempt
            ) as delay`,
    [most],
  )
  return rows[0] as JobCounts
}
