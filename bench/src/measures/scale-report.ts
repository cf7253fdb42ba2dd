import { asCount, asKb, asMs, asNumber } from '../report/format.ts'
import type { SectionResult, Target } from '../report/section.ts'
import type { Table } from '../report/table.ts'
import { medianOf, spreadOf } from '../statistics.ts'
import { describeUsage } from './bench.ts'
import { STRETCH_SECONDS, type Traffic } from './traffic.ts'

/** Issue: an idle long-poll, gateways and events together. */
const MAX_KB = 40
/** Issue: the cost of a delivery is flat. With more queues it may be so many times that of few: noise. */
const MAX_COST = 1.3
/** What has to do with a delivery; the others are the same for any number of queues. */
const DELIVERING = ['gateway', 'events', 'redis'] as const

/** Messages among so many live queues. */
export interface Measured {
  readonly name: string
  readonly queues: number
  readonly traffic: Traffic
  readonly usage: Readonly<Record<string, number>>
}

/** Of all gateways, and of all replicas of events. */
export interface Bytes {
  readonly gateway: number
  readonly events: number
}

/** CPU microseconds of the processes that deliver, per delivery. */
const costOf = ({ traffic, usage }: Measured): number =>
  (DELIVERING.reduce((sum, name) => sum + (usage[name] ?? 0), 0) * traffic.seconds * 1_000_000) /
  traffic.deliveries

/** Whether it was a load that was always too high, or hold-ups. */
function describeStretches({ stretches }: Traffic): string[] {
  const spreads = stretches.filter(({ length }) => length > 0).map((stretch) => spreadOf(stretch))
  const range = (of: readonly number[]): string =>
    `from ${asMs(Math.min(...of))} over ${asMs(medianOf(of))} to ${asMs(Math.max(...of))}`
  return [
    `stretches of ${STRETCH_SECONDS} s: p50 ${range(spreads.map(({ p50 }) => p50))}, p99 ${range(spreads.map(({ p99 }) => p99))}`,
  ]
}

function describeRetries(retries: readonly Readonly<Record<string, number>>[]): string {
  const all = retries.flatMap((reasons) => Object.entries(reasons))
  if (all.length === 0) return 'none'
  return all.map(([reason, times]) => `${asCount(times)} (${reason})`).join(', ')
}

/** The tables and targets of what was found. */
export function reportScale(found: {
  measured: readonly [Measured, Measured, Measured]
  perQueue: { full: Bytes; after: Bytes }
  registersPerSecond: number
  /** Of each process of readers, by why. */
  retries: readonly Readonly<Record<string, number>>[]
  messagesPerSecond: number
}): SectionResult {
  const { measured, registersPerSecond, retries, messagesPerSecond } = found
  const [amongFew, amongAll, held] = measured
  const deliveries: Table = {
    title: 'Very many live queues',
    columns: ['live queues', 'readers of a message', 'deliveries', 'per second', 'p50', 'p99', 'longest'],
    rows: measured.flatMap(({ queues, traffic }) =>
      [...traffic.latencies.entries()].map(([size, latencies]) => {
        const { p50, p99, max } = spreadOf(latencies)
        const perSecond = latencies.length / traffic.seconds
        return [
          asCount(queues),
          asCount(size),
          asCount(latencies.length),
          asCount(perSecond),
          asMs(p50),
          asMs(p99),
          asMs(max),
        ]
      }),
    ),
    notes: [
      `${messagesPerSecond} messages per second for ${held.traffic.seconds} s (the last ${held.traffic.latencies.size} rows), ${amongFew.traffic.seconds} s the others; from when a message is due to its arrival`,
      ...measured.map(
        (one) =>
          `busy cores, ${one.name}: ${describeUsage(one.usage)}; a delivery: ${asNumber(costOf(one))} µs of gateway, events and Redis`,
      ),
      ...describeStretches(held.traffic),
      `registered per second: ${asCount(registersPerSecond)}; polls that had to be repeated: ${describeRetries(retries)}`,
    ],
  }
  const memory: Table = {
    title: 'Memory of a live queue and its poll, resident',
    columns: ['', 'gateways', 'events', 'together'],
    rows: (['full', 'after'] as const).map((when) => {
      const { gateway, events } = found.perQueue[when]
      const name = when === 'full' ? 'once all are open' : 'after the messages'
      return [name, asKb(gateway), asKb(events), asKb(gateway + events)]
    }),
    notes: [
      `growth of three gateways and two replicas of events from ${asCount(amongFew.queues)} queues to ${asCount(amongAll.queues)}, by queue`,
    ],
  }
  const { full } = found.perQueue
  const targets: Target[] = [
    {
      name: `a delivery among ${asCount(amongAll.queues)} queues, to one among ${asCount(amongFew.queues)}: CPU`,
      limit: MAX_COST,
      measured: costOf(amongAll) / costOf(amongFew),
      unit: ' times',
    },
    {
      name: 'a live queue and its poll, resident memory of gateways and events',
      limit: MAX_KB,
      measured: (full.gateway + full.events) / 1_000,
      unit: ' KB',
    },
  ]
  const data = measured.map(({ name, queues, traffic, usage }) => ({
    name,
    queues,
    usage,
    deliveries: traffic.deliveries,
    stretches: traffic.stretches.filter(({ length }) => length > 0).map((stretch) => spreadOf(stretch)),
    replies: spreadOf(traffic.replies),
    bySize: [...traffic.latencies].map(([size, latencies]) => ({ size, ...spreadOf(latencies) })),
  }))
  return {
    tables: [deliveries, memory],
    targets,
    data: { data, perQueue: found.perQueue, registersPerSecond, retries },
  }
}
