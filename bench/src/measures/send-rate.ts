import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount, asMs } from '../report/format.ts'
import { costOf, type SectionCosts } from '../report/measured-costs.ts'
import type { SectionResult } from '../report/section.ts'
import { type Spread, spreadOf } from '../report/statistics.ts'
import { type Bench, describeUsage, sendCall, senderOf, underLoad } from './bench.ts'

/** Subscribers of each channel; another part measures their cost. */
const SUBSCRIBERS = 100

interface Measured extends Spread {
  readonly senders: number
  readonly channels: number
  readonly perSecond: number
  readonly usage: CpuUsage
}

/** Sends per second: all into one channel, whose lock they share, and each into a separate channel. */
export async function measureSendRate(bench: Bench): Promise<SectionResult> {
  const { sizes, population } = bench
  const most = Math.max(...sizes.senderCounts)
  const channels: number[] = []
  for (let i = 0; i < most; i++) channels.push(await population.createChannel(`rate ${i}`, SUBSCRIBERS))

  const measured: Measured[] = []
  for (const isShared of [true, false]) {
    for (const senders of sizes.senderCounts) {
      if (!isShared && senders === 1) continue
      const calls = Array.from({ length: senders }, (_, i) =>
        sendCall(bench, senderOf(population, i), channels[isShared ? 0 : i] ?? 0),
      )
      // As autovacuum does each minute. Plans from when the tables were nearly empty would scan them as a whole.
      await population.analyze()
      const name = `${senders} senders, ${isShared ? 'one channel' : 'a channel each'}`
      const { result, usage } = await underLoad(bench, name, (load) =>
        load.call('runClosedLoop', {
          calls,
          seconds: sizes.loadSeconds,
          warmUpSeconds: sizes.warmUpSeconds,
        }),
      )
      const perSecond = result.latencies.length / result.seconds
      measured.push({
        senders,
        channels: isShared ? 1 : senders,
        perSecond,
        usage,
        ...spreadOf(result.latencies),
      })
    }
  }
  return {
    tables: [
      {
        title: 'Sends per second',
        columns: ['senders', 'channels', 'per second', 'p50', 'p99'],
        rows: measured.map(({ senders, channels, perSecond, p50, p99 }) => [
          String(senders),
          String(channels),
          asCount(perSecond),
          asMs(p50),
          asMs(p99),
        ]),
        notes: measured.map(
          ({ senders, channels, usage }) =>
            `busy cores, ${senders} senders and ${channels} channels: ${describeUsage(usage)}`,
        ),
      },
    ],
    data: measured,
    bars: measured
      .filter(({ senders }) => senders === most)
      .map(({ channels, perSecond }) => ({
        chart: 'rates',
        label: channels === 1 ? 'sends to one channel' : `sends to ${channels} channels`,
        value: perSecond,
        isOther: false,
      })),
    costs: costsOf(measured),
  }
}

/** A send of many senders to as many channels, and how many one channel takes. */
function costsOf(measured: readonly Measured[]): SectionCosts {
  const most = Math.max(...measured.map(({ senders }) => senders))
  const spread = measured.find(({ senders, channels }) => senders === most && channels > 1)
  const shared = measured.find(({ senders, channels }) => senders === most && channels === 1)
  return {
    micros: spread ? { send: costOf({ usage: spread.usage, seconds: 1, count: spread.perSecond }) } : {},
    perSecond: {
      ...(shared && { sendsToOneChannel: Math.round(shared.perSecond) }),
      ...(spread && { sendsToChannels: Math.round(spread.perSecond) }),
    },
  }
}
