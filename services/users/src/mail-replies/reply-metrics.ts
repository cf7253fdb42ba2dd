import { Counter, type Registry } from '@tms/service-kit'

const OUTCOMES = [
  ...['posted', 'repeated', 'refused', 'automatic', 'tested', 'unknown', 'unreadable'],
  ...['too_large', 'deferred'],
] as const

/** Registers the counter of mails to addresses for replies. */
export function registerReplyMetrics(metrics: Registry): (outcome: string) => void {
  const replies = new Counter({
    name: 'mail_replies_total',
    help: `Mails to addresses for replies, by outcome: ${OUTCOMES.join(', ')}. A deferred one is delivered again.`,
    labelNames: ['outcome'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const outcome of OUTCOMES) replies.inc({ outcome }, 0)
  return (outcome) => replies.inc({ outcome })
}
