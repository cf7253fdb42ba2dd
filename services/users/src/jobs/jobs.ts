import type { Queryable } from '@tms/service-kit'
import type { Mail } from '../mails/mail.ts'

/** Everything that is done after the request that wanted it, with what each needs to know. */
export interface Jobs {
  send_mail: Mail
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
export async function addJob<Name extends JobName>(
  tx: Queryable,
  name: Name,
  payload: Jobs[Name],
  { runAt, key }: JobOptions = {},
): Promise<void> {
  await tx.query(
    `select id::text
       from graphile_worker.add_job($1::text, $2::json, run_at => $3::timestamptz, job_key => $4::text)`,
    [name, JSON.stringify(payload), runAt?.toISOString() ?? null, key ?? null],
  )
}

/** Takes back the jobs of this key that haven't run. */
export async function removeJob(tx: Queryable, key: string): Promise<void> {
  await tx.query('select id::text from graphile_worker.remove_job($1::text)', [key])
}
