import type { Queryable } from '@tms/service-kit'

/** Says that these workers still run their jobs. */
export async function renewLocks(db: Queryable, workerIds: readonly string[]): Promise<void> {
  await db.query(
    'update graphile_worker._private_jobs set locked_at = now() where locked_by = any($1::text[])',
    [workerIds],
  )
}

/**
 * Gives jobs back whose workers haven't said so for `afterMs`: their process has died, or couldn't record the outcome. Others may
 * run them again. Returns their number.
 */
export async function releaseAbandoned(db: Queryable, afterMs: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with abandoned as materialized (
       select locked_by
         from graphile_worker._private_jobs
        where locked_at < now() - $1 * interval '1 millisecond'
     )
     select count(*)::int as count, graphile_worker.force_unlock_workers(array_agg(locked_by))::text
       from abandoned
     having count(*) > 0`,
    [afterMs],
  )
  return rows[0]?.count ?? 0
}
