import type { Logger } from '@tms/service-kit'
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../kernel/mails/mail.ts'
import { layOutMail } from './layout.ts'
import { type MailTransport, UndeliverableMailError } from './mail-transport.ts'

/**
 * Sends a mail; throws to have it retried. The message ID contains the job's, so that receivers recognise a second
 * copy.
 */
export async function sendMail(
  { transport, from, log }: { transport: MailTransport; from: string; log: Logger },
  mail: Mail,
  jobId: string,
): Promise<void> {
  const { hostname } = new URL(mail.realm.url)
  const message: SendMailOptions = {
    from: { name: mail.realm.name, address: from },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    messageId: `<job-${jobId}@${hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...layOutMail(mail),
  }
  try {
    log.info({ subject: mail.subject, destination: await transport.send(message) }, 'mail sent')
  } catch (err) {
    if (!(err instanceof UndeliverableMailError)) throw err
    log.warn({ err, subject: mail.subject }, 'mail cannot be delivered')
  }
}
