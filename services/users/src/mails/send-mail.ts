import { knownTimeZone } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../kernel/mails/mail.ts'
import { layOutMail } from './layout.ts'
import { type MailTransport, UndeliverableMailError } from './mail-transport.ts'

/** Recipients with longer names are written without them: servers refuse long lines. */
const MAX_RECIPIENT_BYTES = 320

/** What becomes of a mail that a job sends: a failed one is tried again. */
export const MAIL_OUTCOMES = ['sent', 'undeliverable', 'failed'] as const
export type MailOutcome = (typeof MAIL_OUTCOMES)[number]

interface Mailer {
  readonly transport: MailTransport
  readonly from: string
}

/**
 * Sends a mail; throws to have it retried. The message ID contains the job's, so that receivers recognise a second
 * copy. The log has no subjects: they name private channels and people.
 */
export async function sendMail(
  { transport, from, log, count }: Mailer & { log: Logger; count: (outcome: MailOutcome) => void },
  mail: Mail,
  jobId: string,
): Promise<void> {
  try {
    const destination = await deliverMail({ transport, from }, mail, `job-${jobId}`)
    count('sent')
    log.info({ jobId, destination }, 'mail sent')
  } catch (err) {
    if (!(err instanceof UndeliverableMailError)) {
      count('failed')
      throw err
    }
    count('undeliverable')
    log.warn({ err, jobId }, 'mail cannot be delivered')
  }
}

/** Sends a mail at once and returns the server's answer or the file. */
export function deliverMail({ transport, from }: Mailer, mail: Mail, id: string): Promise<string> {
  return transport.send(toMessage(mail, from, id))
}

function toMessage(mail: Mail, from: string, id: string): SendMailOptions {
  const { hostname } = new URL(mail.realm.url)
  const { thread, unsubscribeUrl, replyTo, toName = '' } = mail
  const root = thread === undefined ? null : `<${thread}@${hostname}>`
  return {
    from: { name: mail.realm.name, address: from },
    to: { name: fits(toName, mail.to) ? toName : '', address: mail.to },
    ...(replyTo !== undefined && { replyTo: { name: mail.realm.name, address: replyTo } }),
    subject: mail.subject,
    messageId: `<${id}@${hostname}>`,
    ...(root !== null && { inReplyTo: root, references: root }),
    ...(mail.timeZone !== undefined && { date: dateIn(mail.timeZone, new Date()) }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'X-Auto-Response-Suppress': 'All',
        // Prepared, because the library encodes quotes together with what follows them.
        'List-Id': { prepared: true, value: listIdOf(mail.realm.name, hostname) },
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...layOutMail(mail),
  }
}

/** A date as mails have it, in a time zone: mail programs show when it was for the sender. */
export function dateIn(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...({ weekday: 'short', day: '2-digit', month: 'short', year: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const),
    ...({ timeZone: knownTimeZone(timeZone), timeZoneName: 'longOffset' } as const),
  }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  const offset = of('timeZoneName').replace('GMT', '').replace(':', '') || '+0000'
  const month = of('month').slice(0, 3)
  return `${of('weekday')}, ${of('day')} ${month} ${of('year')} ${of('hour')}:${of('minute')}:${of('second')} ${offset}`
}

/** Names that would have to be encoded are left out. */
function listIdOf(name: string, hostname: string): string {
  return /^[ -~]+$/.test(name) ? `"${name.replace(/["\\]/g, '')}" <${hostname}>` : `<${hostname}>`
}

const fits = (name: string, address: string): boolean =>
  Buffer.byteLength(name) + Buffer.byteLength(address) <= MAX_RECIPIENT_BYTES
