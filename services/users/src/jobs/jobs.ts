import type { Queryable } from '@tms/service-kit'
import type { Mail } from '../mails/mail.ts'
import { deleteJobs, insertJobs } from './job.queries.ts'

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
 * (25 attempts, at growing distances, four days in all; after that it stays as it is, and an alert tells of it).
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
  await insertJobs(
    tx,
    name,
    jobs.map(({ payload, runAt = null, key = null }) => ({ payload, runAt, key })),
  )
}

/** Takes back the jobs of these keys that haven't run. */
export async function removeJobs(tx: Queryable, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await deleteJobs(tx, keys)
}

/** Takes back the jobs of this key that haven't run. */
export function removeJob(tx: Queryable, key: string): Promise<void> {
  return removeJobs(tx, [key])
}
