import type { Queryable } from '@tms/service-kit'
import type { Mail } from '../mails/mail.ts'
import { deleteJobs, insertJobs } from './job.queries.ts'

/** Work that is done after the request, with its payload. */
export interface Jobs {
  send_mail: Mail
  /** A mail of an operator, which is composed when it is sent: many are the same. */
  send_announcement: {
    readonly announcementId: number
    readonly realmId: number
    readonly userId: number
    /** The greatest role of the users who get it. Absent in jobs of the release before: everybody's. */
    readonly maxRole?: number
  }
  remind_of_invitation: { readonly invitation_id: number }
  /** Files of an unused avatar. */
  delete_avatar: { readonly realmId: number; readonly file: string }
  /** Removes values of deleted profile fields and options. */
  remove_profile_values: { readonly realm_id: number }
}
export type JobName = keyof Jobs

interface JobOptions {
  /** The earliest time; at once if absent. */
  readonly runAt?: Date
  /** A later job with the same key replaces one that hasn't run. */
  readonly key?: string
  /** Jobs with smaller numbers run first; 0 if absent. */
  readonly priority?: number
  /** 25 if absent. */
  readonly maxAttempts?: number
}

/**
 * Adds a job within the transaction. If that commits, a replica runs the job until it succeeds: 25 attempts at
 * growing intervals, four days in all. After that the job stays, and an alert reports it.
 */
export function addJob<Name extends JobName>(
  tx: Queryable,
  name: Name,
  payload: Jobs[Name],
  options: JobOptions = {},
): Promise<void> {
  return addJobs(tx, name, [{ ...options, payload }])
}

export async function addJobs<Name extends JobName>(
  tx: Queryable,
  name: Name,
  jobs: readonly (JobOptions & { readonly payload: Jobs[Name] })[],
): Promise<void> {
  if (jobs.length === 0) return
  await insertJobs(
    tx,
    name,
    jobs.map(({ payload, runAt = null, key = null, priority = 0, maxAttempts = null }) => ({
      ...{ payload, runAt, key, priority, maxAttempts },
    })),
  )
}

/** Removes jobs with these keys that haven't run. */
export async function removeJobs(tx: Queryable, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await deleteJobs(tx, keys)
}

export function removeJob(tx: Queryable, key: string): Promise<void> {
  return removeJobs(tx, [key])
}
