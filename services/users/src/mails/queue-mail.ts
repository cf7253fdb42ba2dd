import type { Queryable } from '@tms/service-kit'
import { addJob, addJobs } from '../jobs/jobs.ts'
import type { Mail } from './mail.ts'

/**
 * Sends a mail, exactly if the transaction commits, now or at a time; one that waits is replaced by another of the
 * same key. A mail server that is down delays it, by up to four days: then it is kept and tried no more.
 */
export function queueMail(
  tx: Queryable,
  mail: Mail,
  options: { readonly sendAt?: Date; readonly key?: string } = {},
): Promise<void> {
  const { sendAt, key } = options
  return addJob(tx, 'send_mail', mail, {
    ...(sendAt && { runAt: sendAt }),
    ...(key !== undefined && { key }),
  })
}

/** Sends many mails, as `queueMail` does. */
export function queueMails(
  tx: Queryable,
  mails: readonly { readonly mail: Mail; readonly key: string }[],
): Promise<void> {
  return addJobs(
    tx,
    'send_mail',
    mails.map(({ mail, key }) => ({ payload: mail, key })),
  )
}
