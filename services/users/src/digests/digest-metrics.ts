import { Counter, Gauge, type Pool, type Registry } from '@tms/service-kit'
import { findDigestSlot } from './digest.queries.ts'

/** `empty`: there is nothing to say. `failed`: messaging could not describe it. */
const OUTCOMES = ['queued', 'empty', 'failed'] as const
type DigestOutcome = (typeof OUTCOMES)[number]

/** Registers the metrics of digests and returns the counter. */
export function registerDigestMetrics(
  db: Pool,
  now: () => Date,
  metrics: Registry,
): (outcome: DigestOutcome, count: number) => void {
  const digests = new Counter({
    name: 'digests_total',
    help: `Users whose digest was due, by outcome: ${OUTCOMES.join(', ')}.`,
    labelNames: ['outcome'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const outcome of OUTCOMES) digests.inc({ outcome }, 0)
  new Gauge({
    name: 'digest_lag_seconds',
    help: 'How long digests have been due that are not queued yet.',
    registers: [metrics],
    async collect() {
      // Without the database this metric is unknown, but all others are still reported.
      const slot = await findDigestSlot(db).catch(() => undefined)
      if (slot === undefined) this.set(Number.NaN)
      else this.set(slot === null ? 0 : Math.max(0, (now().getTime() - slot.getTime()) / 1_000))
    },
  })
  return (outcome, count) => digests.inc({ outcome }, count)
}
