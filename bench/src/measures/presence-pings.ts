import { type Call, formCall } from '../load/http-call.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount, asMs } from '../report/format.ts'
import { costOf, type SectionCosts } from '../report/measured-costs.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeUsage, senderOf, underLoad } from './bench.ts'

/** Users who are online before the measurement. */
export const onlineUsers = 1_000
const PINGING = 50

/** Pings per second of online users, by what they request. */
export async function measurePresence(bench: Bench): Promise<SectionResult> {
  const { sizes, population } = bench
  const ping = (index: number, fields: Record<string, string>): Call =>
    formCall(
      portOf(bench.system.baseUrl),
      '/api/v1/users/me/presence',
      authorizationOf(senderOf(population, index)),
      { status: 'active', ...fields },
    )
  const arrivals = Array.from({ length: onlineUsers }, (_, i) => ping(i, { ping_only: 'true' }))
  for (let i = 0; i < arrivals.length; i += PINGING)
    await bench.senders.call('sendTotal', { calls: arrivals.slice(i, i + PINGING), total: PINGING })

  // Update IDs are times in milliseconds: this client gets every update during the measurement.
  const upToDate = String(Date.now() + 3_600_000)
  const requests: Readonly<Record<string, Record<string, string>>> = {
    nothing: { ping_only: 'true' },
    'what is new': { last_update_id: upToDate },
    [`all ${asCount(onlineUsers)} online users`]: { last_update_id: '-1' },
    'all, in the older format': {},
  }
  const measured = []
  for (const [name, fields] of Object.entries(requests)) {
    const calls = Array.from({ length: PINGING }, (_, i) => ping(i, fields))
    const { result, usage } = await underLoad(bench, `pings that ask for ${name}`, (load) =>
      load.call('runClosedLoop', {
        calls,
        seconds: sizes.loadSeconds,
        warmUpSeconds: sizes.warmUpSeconds,
      }),
    )
    const perSecond = result.latencies.length / result.seconds
    measured.push({ name, perSecond, usage, ...spreadOf(result.latencies) })
  }
  return {
    tables: [
      {
        title: `Presence: pings of ${PINGING} people at once`,
        columns: ['asking for', 'per second', 'p50', 'p99'],
        rows: measured.map(({ name, perSecond, p50, p99 }) => [
          name,
          asCount(perSecond),
          asMs(p50),
          asMs(p99),
        ]),
        notes: measured.map(({ name, usage }) => `busy cores, asking for ${name}: ${describeUsage(usage)}`),
      },
    ],
    data: measured,
    costs: costsOf(measured),
  }
}

function costsOf(
  measured: readonly { readonly perSecond: number; readonly usage: CpuUsage }[],
): SectionCosts {
  const [, ofNew, ofAll] = measured
  const cost = (one: typeof ofNew) => (one ? costOf({ ...one, seconds: 1, count: one.perSecond }) : {})
  return {
    micros: { ping: cost(ofNew), pingForAll: cost(ofAll) },
    perSecond: { pingsForAll: Math.round(ofAll?.perSecond ?? 0) },
  }
}
