import type { Memory } from '../probe/memory.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount, asKb, asMs, asNumber } from '../report/format.ts'
import type { SectionResult, Target } from '../report/section.ts'
import { medianOf, spreadOf } from '../report/statistics.ts'
import type { Table } from '../report/table.ts'
import { describeUsage } from './bench.ts'
import { PERIOD_SECONDS, type Traffic } from './traffic.ts'

/** Target: an idle long-poll, gateways and events together. */
const MAX_KB = 40
/** Target: the cost of a delivery does not grow. With more queues it may be this multiple of the cost with few: noise. */
const MAX_COST = 1.3
/** The processes on the delivery path; the others do not depend on the number of queues. */
const DELIVERING = ['gateway', 'events', 'redis'] as const

/** Messages among a number of live queues. */
export interface Measured {
  readonly name: string
  readonly queues: number
  readonly traffic: Traffic
  readonly usage: CpuUsage
}

/** Totals of all gateways, and of all replicas of events. */
export interface Bytes {
  readonly gateway: Memory
  readonly events: Memory
}

/** Busy cores of the processes on the delivery path. */
const coresOf = (usage: CpuUsage): number => DELIVERING.reduce((sum, name) => sum + (usage[name] ?? 0), 0)

/** CPU microseconds on the delivery path per delivery, without what idle queues take. */
const costOf = ({ traffic, usage }: Measured, idle: CpuUsage): number =>
  ((coresOf(usage) - coresOf(idle)) * traffic.seconds * 1_000_000) / traffic.deliveries

/** Separates a constant overload from temporary delays. */
function describePeriods({ periods }: Traffic): string[] {
  const spreads = periods.filter(({ length }) => length > 0).map((period) => spreadOf(period))
  const range = (of: readonly number[]): string =>
    `from ${asMs(Math.min(...of))} over ${asMs(medianOf(of))} to ${asMs(Math.max(...of))}`
  return [
    `intervals of ${PERIOD_SECONDS} s: p50 ${range(spreads.map(({ p50 }) => p50))}, p99 ${range(spreads.map(({ p99 }) => p99))}`,
  ]
}

/** The share of that before the message was acknowledged: late messages were late before they were events. */
function describeReplies({ replies }: Traffic): string {
  const { p50, p99, max } = spreadOf(replies)
  return `from when a message is due to the answer to its sender: p50 ${asMs(p50)}, p99 ${asMs(p99)}, longest ${asMs(max)}`
}

function describeRetries(retries: readonly Readonly<Record<string, number>>[]): string {
  const all = retries.flatMap((reasons) => Object.entries(reasons))
  if (all.length === 0) return 'none'
  return all.map(([reason, times]) => `${asCount(times)} (${reason})`).join(', ')
}

/** The tables and targets of the results. */
export function reportScale(found: {
  measured: readonly [Measured, Measured, Measured]
  /** While nothing is sent, with few queues and with all. */
  idle: { few: CpuUsage; all: CpuUsage }
  perQueue: { full: Bytes; after: Bytes }
  registersPerSecond: number
  /** By process of readers, then by reason. */
  retries: readonly Readonly<Record<string, number>>[]
  messagesPerSecond: number
}): SectionResult {
  const { measured, idle, registersPerSecond, retries, messagesPerSecond } = found
  const [amongFew, amongAll, all] = measured
  const costs = [costOf(amongFew, idle.few), costOf(amongAll, idle.all), costOf(all, idle.all)] as const
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
      `${messagesPerSecond} messages per second for ${all.traffic.seconds} s (the last ${all.traffic.latencies.size} rows), ${amongFew.traffic.seconds} s the others; from when a message is due to its arrival`,
      `busy cores, nothing sent, ${asCount(amongFew.queues)} queues: ${describeUsage(idle.few)}; ${asCount(amongAll.queues)}: ${describeUsage(idle.all)}`,
      ...measured.map(
        (one, at) =>
          `busy cores, ${one.name}: ${describeUsage(one.usage)}; a delivery: ${asNumber(costs[at] ?? 0)} µs of gateway, events and Redis, without what they take when nothing is sent`,
      ),
      ...describePeriods(all.traffic),
      describeReplies(all.traffic),
      `registered per second: ${asCount(registersPerSecond)}; polls that had to be repeated: ${describeRetries(retries)}`,
    ],
  }
  const memory: Table = {
    title: 'Memory of a live queue and its poll',
    columns: ['', 'gateways', 'events', 'together'],
    rows: (['full', 'after'] as const).flatMap((when) =>
      (['rss', 'live'] as const).map((kind) => {
        const { gateway, events } = found.perQueue[when]
        const name = `${when === 'full' ? 'once all are open' : 'after the messages'}, ${kind === 'rss' ? 'resident' : 'live'}`
        return [name, asKb(gateway[kind]), asKb(events[kind]), asKb(gateway[kind] + events[kind])]
      }),
    ),
    notes: [
      `growth of three gateways and two replicas of events from ${asCount(amongFew.queues)} queues to ${asCount(amongAll.queues)}, by queue`,
    ],
  }
  const { full } = found.perQueue
  const targets: Target[] = [
    {
      name: `a delivery among ${asCount(amongAll.queues)} queues, to one among ${asCount(amongFew.queues)}: CPU`,
      limit: MAX_COST,
      measured: costs[1] / costs[0],
      unit: ' times',
    },
    {
      name: 'a live queue and its poll, resident memory of gateways and events',
      limit: MAX_KB,
      measured: (full.gateway.rss + full.events.rss) / 1_000,
      unit: ' KB',
    },
  ]
  const data = measured.map(({ name, queues, traffic, usage }) => ({
    name,
    queues,
    usage,
    deliveries: traffic.deliveries,
    periods: traffic.periods.filter(({ length }) => length > 0).map((period) => spreadOf(period)),
    replies: spreadOf(traffic.replies),
    bySize: [...traffic.latencies].map(([size, latencies]) => ({ size, ...spreadOf(latencies) })),
  }))
  return {
    tables: [deliveries, memory],
    targets,
    data: { data, idle, perQueue: found.perQueue, registersPerSecond, retries },
  }
}
