import type { Queryable } from '@tms/service-kit'

/** Rejects if the jobs can't be read. */
export async function askForTasks(db: Queryable): Promise<void> {
  await db.query('select id from graphile_worker._private_tasks limit 1')
}

/** Records that these workers are alive. */
export async function recordWorkers(db: Queryable, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return
  await db.query(
    `insert into job_workers (id, seen_at)
     select id, now()
       from unnest($1::text[]) as id
         on conflict (id) do update set seen_at = now()
     returning id`,
    [workerIds],
  )
}

/**
 * Gives jobs back whose workers haven't been alive for `afterMs`: their process has died, or couldn't record the outcome. Others may
 * run them again. Returns their number. Jobs of workers that never recorded anything stay with them: the release before does
 * not, and its jobs may take long.
 */
export async function releaseAbandoned(db: Queryable, afterMs: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with abandoned as materialized (
       select j.locked_by
         from job_workers w
         join graphile_worker._private_jobs j on j.locked_by = w.id
        where w.seen_at < now() - $1 * interval '1 millisecond'
     )
     select count(*)::int as count, graphile_worker.force_unlock_workers(array_agg(locked_by))::text
       from abandoned
     having count(*) > 0`,
    [afterMs],
  )
  return rows[0]?.count ?? 0
}

/** Forgets workers that were last alive a day ago. */
export async function forgetWorkers(db: Queryable): Promise<void> {
  await db.query("delete from job_workers where seen_at < now() - interval '1 day'")
}
