import type { LoopResult } from '../load/closed-loop.ts'
import type { Call } from '../load/http-call.ts'
import type { Bar } from '../report/bar-chart.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount, asMs } from '../report/format.ts'
import type { SectionCosts } from '../report/measured-costs.ts'
import type { SectionResult } from '../report/section.ts'
import { type Spread, spreadOf } from '../report/statistics.ts'
import { type Bench, describeCost, describeUsage, underLoad } from './bench.ts'

const AT_ONCE = [1, 50] as const
const BARE = ['bare proxy', 'bare server', 'postgres', 'rabbitmq']

const PROXIED = 'node:http hello behind a node:http proxy'
const TRANSACTION = 'PostgreSQL: insert a row and commit'
const CONFIRMED = 'RabbitMQ: publish 1 KB to a stream, confirmed'

interface Measured extends Spread {
  readonly name: string
  readonly atOnce: number
  readonly perSecond: number
  readonly usage: CpuUsage
}

/** The throughput of PostgreSQL, RabbitMQ and HTTP on this machine by themselves. */
export async function measureBareParts(bench: Bench): Promise<SectionResult> {
  const { sizes, senders, bare, servers } = bench
  const time = { seconds: sizes.loadSeconds / 2, warmUpSeconds: sizes.warmUpSeconds / 2 }
  const http = (call: Call) => (atOnce: number) =>
    senders.call('runClosedLoop', { ...time, calls: Array.from({ length: atOnce }, () => call) })
  const parts: [string, (atOnce: number) => Promise<LoopResult>][] = [
    ['node:http hello', http(bare.helloCall)],
    [PROXIED, http(bare.proxiedCall)],
    ['Express hello', http(bare.expressCall)],
    [
      TRANSACTION,
      (connections) => senders.call('runTransactions', { ...time, url: servers.postgres.url, connections }),
    ],
    [CONFIRMED, (inFlight) => senders.call('runConfirms', { ...time, url: servers.rabbitmq.url, inFlight })],
  ]
  const withBare: Bench = {
    ...bench,
    processes: () =>
      new Map([...bench.processes(), ['bare server', [bare.origin.pid]], ['bare proxy', [bare.proxy.pid]]]),
  }

  const measured: Measured[] = []
  for (const [name, run] of parts) {
    for (const atOnce of AT_ONCE) {
      const { result, usage } = await underLoad(withBare, `${name}, ${atOnce} at a time`, () => run(atOnce))
      const perSecond = result.latencies.length / result.seconds
      measured.push({ name, atOnce, perSecond, usage, ...spreadOf(result.latencies) })
    }
  }
  return {
    tables: [
      {
        title: 'Bare parts',
        columns: ['part', 'at a time', 'per second', 'p50', 'p99'],
        rows: measured.map(({ name, atOnce, perSecond, p50, p99 }) => [
          name,
          String(atOnce),
          asCount(perSecond),
          asMs(p50),
          asMs(p99),
        ]),
        notes: measured
          .filter(({ atOnce }) => atOnce > 1)
          .map(({ name, usage, perSecond }) => {
            const cost = describeCost({ usage, seconds: 1, count: perSecond }, BARE)
            return `busy cores, ${name}: ${describeUsage(usage)}; CPU of one ${cost}`
          }),
      },
    ],
    data: measured,
    bars: barsOf(measured),
    costs: costsOf(measured),
  }
}

const findMost = (measured: readonly Measured[], wanted: string): Measured | undefined =>
  measured.find(({ name, atOnce }) => name === wanted && atOnce === Math.max(...AT_ONCE))

function barsOf(measured: readonly Measured[]): Bar[] {
  const { micros = {} } = costsOf(measured)
  const { proxy = 0, server = 0 } = micros['proxiedRequest'] ?? {}
  const rate = (name: string, label: string): Bar => ({
    ...{ chart: 'rates', label, isOther: true },
    value: findMost(measured, name)?.perSecond ?? 0,
  })
  return [
    { chart: 'delivery', label: 'bare request behind a bare proxy', value: proxy + server, isOther: true },
    rate(TRANSACTION, 'one-row transactions of PostgreSQL'),
    rate(CONFIRMED, 'confirmed publishes to RabbitMQ'),
  ]
}

/** What others are compared with. */
function costsOf(measured: readonly Measured[]): SectionCosts {
  const [proxied, transaction] = [findMost(measured, PROXIED), findMost(measured, TRANSACTION)]
  const microsOf = (process: string) =>
    Number((((proxied?.usage[process] ?? 0) * 1e6) / (proxied?.perSecond ?? 1)).toPrecision(3))
  return {
    micros: { proxiedRequest: { proxy: microsOf('bare proxy'), server: microsOf('bare server') } },
    perSecond: { transactions: Math.round(transaction?.perSecond ?? 0) },
  }
}
