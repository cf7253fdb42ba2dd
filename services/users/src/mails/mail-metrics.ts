import { Counter, type Registry } from '@tms/service-kit'
import { MAIL_OUTCOMES, type MailOutcome } from './send-mail.ts'

/** Registers the counter of mails. */
export function registerMailMetrics(metrics: Registry): (outcome: MailOutcome) => void {
  const mails = new Counter({
    name: 'mails_total',
    help: `Attempts to send a mail, by outcome: ${MAIL_OUTCOMES.join(', ')}. A failed one is tried again.`,
    labelNames: ['outcome'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const outcome of MAIL_OUTCOMES) mails.inc({ outcome }, 0)
  return (outcome) => mails.inc({ outcome })
}
