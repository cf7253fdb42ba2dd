import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../locks.ts'

/** Times of requested mails of a subject, without locking it. */
export async function findMailRequests(db: Queryable, subject: string): Promise<number[]> {
  const { rows } = await db.query<{ requestedAt: Date[] }>(
    'select requested_at as "requestedAt" from mail_requests where subject = $1',
    [subject],
  )
  return (rows[0]?.requestedAt ?? []).map((at) => at.getTime())
}

/** Times of requested mails, by subject. Locks the subjects until the transaction ends. */
export async function lockMailRequests(
  tx: Tx,
  subjects: readonly string[],
): Promise<{ subject: string; requestedAt: number[] }[]> {
  tx.lockRecord.add(locks.limits, subjects)
  const { rows } = await tx.query<{ subject: string; requestedAt: Date[] }>(
    `insert into mail_requests as existing (subject, requested_at)
     select subject, '{}'
       from unnest($1::text[]) as subject
      order by subject
         on conflict (subject) do update set requested_at = existing.requested_at
     returning subject, requested_at as "requestedAt"`,
    [subjects],
  )
  return rows.map(({ subject, requestedAt }) => ({
    subject,
    requestedAt: requestedAt.map((at) => at.getTime()),
  }))
}

/** Counts a mail for each subject, and drops times older than a day. Lock the subjects first. */
export async function addMailRequest(tx: Queryable, subjects: readonly string[], now: Date): Promise<void> {
  await tx.query(
    `update mail_requests
        set requested_at = array(
              select at from unnest(requested_at) as at where at > $2::timestamptz - interval '1 day'
            ) || $2::timestamptz
      where subject = any ($1::text[])
     returning subject`,
    [subjects, now.toISOString()],
  )
}
