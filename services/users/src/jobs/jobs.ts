import type { Queryable } from '@tms/service-kit'
import type { Mail } from '../mails/mail.ts'

/** Everything that is done after the request that wanted it, with what each needs to know. */
export interface Jobs {
  send_mail: Mail
  remind_of_invitation: { readonly invitation_id: number }
  /** The files of an avatar that nobody has. */
  delete_avatar: { readonly realmId: number; readonly file: string }
  /** Takes away values of profile fields and options that are gone. */
  remove_profile_values: { readonly realm_id: number }
}
export type JobName = keyof Jobs

interface JobOptions {
  /** Not before; at once when absent. */
  readonly runAt?: Date
  /** A later job with the same key takes the place of one that hasn't run. */
  readonly key?: string
}

/**
 * Adds a job to the transaction: it is done, by any replica, exactly if that commits, and again until it succeeds
 * (25 attempts, at growing distances, two and a half days in all).
 */
export function addJob<Name extends JobName>(
  tx: Queryable,
  name: Name,
  payload: Jobs[Name],
  options: JobOptions = {},
): Promise<void> {
  return addJobs(tx, name, [{ ...options, payload }])
}

/** Adds many jobs at once, as `addJob` does. */
export async function addJobs<Name extends JobName>(
  tx: Queryable,
  name: Name,
  jobs: readonly (JobOptions & { readonly payload: Jobs[Name] })[],
): Promise<void> {
  if (jobs.length === 0) return
  await tx.query(
    `select count(*)::int as added
       from graphile_worker.add_jobs(array(
              select row($1::text, payload::json, null, run_at::timestamptz, null, key, null, null)::graphile_worker.job_spec
                from unnest($2::text[], $3::text[], $4::text[]) as job (payload, run_at, key)))`,
    [
      name,
      jobs.map(({ payload }) => JSON.stringify(payload)),
      jobs.map(({ runAt }) => runAt?.toISOString() ?? null),
      jobs.map(({ key }) => key ?? null),
    ],
  )
}

/** Takes back the jobs of these keys that haven't run. */
export async function removeJobs(tx: Queryable, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await tx.query(
    'select removed.id::text from unnest($1::text[]) as key, lateral graphile_worker.remove_job(key) as removed',
    [keys],
  )
}

/** Takes back the jobs of this key that haven't run. */
export function removeJob(tx: Queryable, key: string): Promise<void> {
  return removeJobs(tx, [key])
}
