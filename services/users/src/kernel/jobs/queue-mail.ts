import type { Queryable } from '@tms/service-kit'
import type { Mail } from '../mails/mail.ts'
import { addJob, addJobs } from './jobs.ts'

/**
 * Queues a mail within the transaction, now or for later; replaces a pending one with the same key. It is retried for
 * up to four days while the mail server is down.
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

/** Below all others: a person who needs a link doesn't wait for the notifications of others. */
const NOTIFICATION_PRIORITY = 10

/** Below these: digests come once a week, and many at once. */
export const DIGEST_PRIORITY = 20

/** Below all others: nobody waits for what an operator announces to everybody. */
export const ANNOUNCEMENT_PRIORITY = 30

/** Attempts within 22 hours: a notification that comes later is no news. */
export const NOTIFICATION_ATTEMPTS = 13

/** Queues mails that nobody is waiting for. Given up, they are deleted, since they quote messages or replies. */
export function queueNotificationMails(
  tx: Queryable,
  mails: readonly Mail[],
  priority: number = NOTIFICATION_PRIORITY,
): Promise<void> {
  return addJobs(
    tx,
    'send_mail',
    mails.map((payload) => ({
      payload,
      priority,
      maxAttempts: NOTIFICATION_ATTEMPTS,
    })),
  )
}
