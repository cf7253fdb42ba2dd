import type { Memory } from '../probe/memory.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
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
  readonly usage: CpuUsage
}

/** Of all gateways, and of all replicas of events. */
export interface Bytes {
  readonly gateway: Memory
  readonly events: Memory
}

/** Cores that the processes which deliver keep busy. */
const coresOf = (usage: CpuUsage): number => DELIVERING.reduce((sum, name) => sum + (usage[name] ?? 0), 0)

/** CPU microseconds of the processes that deliver, per delivery, beyond what the queues take when nothing is sent. */
const costOf = ({ traffic, usage }: Measured, idle: CpuUsage): number =>
  ((coresOf(usage) - coresOf(idle)) * traffic.seconds * 1_000_000) / traffic.deliveries

/** Whether it was a load that was always too high, or hold-ups. */
function describeStretches({ stretches }: Traffic): string[] {
  const spreads = stretches.filter(({ length }) => length > 0).map((stretch) => spreadOf(stretch))
  const range = (of: readonly number[]): string =>
    `from ${asMs(Math.min(...of))} over ${asMs(medianOf(of))} to ${asMs(Math.max(...of))}`
  return [
    `stretches of ${STRETCH_SECONDS} s: p50 ${range(spreads.map(({ p50 }) => p50))}, p99 ${range(spreads.map(({ p99 }) => p99))}`,
  ]
}

/** How much of that had passed when the message was sent: messages that come late have been so before they were events. */
function describeReplies({ replies }: Traffic): string {
  const { p50, p99, max } = spreadOf(replies)
  return `from when a message is due to the answer to its sender: p50 ${asMs(p50)}, p99 ${asMs(p99)}, longest ${asMs(max)}`
}

function describeRetries(retries: readonly Readonly<Record<string, number>>[]): string {
  const all = retries.flatMap((reasons) => Object.entries(reasons))
  if (all.length === 0) return 'none'
  return all.map(([reason, times]) => `${asCount(times)} (${reason})`).join(', ')
}

/** The tables and targets of what was found. */
export function reportScale(found: {
  measured: readonly [Measured, Measured, Measured]
  /** While nothing is sent, with few queues and with all. */
  idle: { few: CpuUsage; all: CpuUsage }
  perQueue: { full: Bytes; after: Bytes }
  registersPerSecond: number
  /** Of each process of readers, by why. */
  retries: readonly Readonly<Record<string, number>>[]
  messagesPerSecond: number
}): SectionResult {
  const { measured, idle, registersPerSecond, retries, messagesPerSecond } = found
  const [amongFew, amongAll, held] = measured
  const costs = [costOf(amongFew, idle.few), costOf(amongAll, idle.all), costOf(held, idle.all)] as const
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
      `busy cores, nothing sent, ${asCount(amongFew.queues)} queues: ${describeUsage(idle.few)}; ${asCount(amongAll.queues)}: ${describeUsage(idle.all)}`,
      ...measured.map(
        (one, at) =>
          `busy cores, ${one.name}: ${describeUsage(one.usage)}; a delivery: ${asNumber(costs[at] ?? 0)} µs of gateway, events and Redis, without what they take when nothing is sent`,
      ),
      ...describeStretches(held.traffic),
      describeReplies(held.traffic),
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
    stretches: traffic.stretches.filter(({ length }) => length > 0).map((stretch) => spreadOf(stretch)),
    replies: spreadOf(traffic.replies),
    bySize: [...traffic.latencies].map(([size, latencies]) => ({ size, ...spreadOf(latencies) })),
  }))
  return {
    tables: [deliveries, memory],
    targets,
    data: { data, idle, perQueue: found.perQueue, registersPerSecond, retries },
  }
}
