import type { Call } from '../load/http-call.ts'
import { asCount, asMs, asNumber } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { medianOf, quantileOf, spreadOf } from '../report/statistics.ts'
import { type Bench, sendCall, senderOf, underLoad } from './bench.ts'

/** Design: sending costs the same for 10 readers and for 100,000. */
const MAX_RATIO = 1.3

/** The time of a send, by the number of subscribers. */
export async function measureSendLatency(bench: Bench): Promise<SectionResult> {
  const { sizes, population } = bench
  const sender = senderOf(population)
  const done = bench.progress.step('subscribing in bulk')
  const calls: Call[] = []
  for (const subscribers of sizes.subscriberCounts) {
    const channelId = await population.createChannel(`size ${subscribers}`, subscribers)
    calls.push(sendCall(bench, sender, channelId))
  }
  await population.analyze()
  done()

  const { result } = await underLoad(bench, 'sends to channels of growing size', (load) =>
    load.call('sendInRounds', { calls, rounds: sizes.latencyRounds, perRound: sizes.sendsPerRound }),
  )
  const measured = sizes.subscriberCounts.map((subscribers, i) => {
    const rounds = result[i] ?? []
    return { subscribers, ...spreadOf(rounds.flat()), roundMedians: rounds.map(medianOf) }
  })
  const [smallest, largest] = [measured[0], measured.at(-1)]
  if (!smallest || !largest) throw new Error('nothing was measured')
  const ratio = largest.p50 / smallest.p50
  // Each round gives one ratio; their spread shows how reliable the ratio above is.
  const ratios = largest.roundMedians
    .map((median, i) => median / (smallest.roundMedians[i] ?? Number.NaN))
    .sort((a, b) => a - b)
  const [low, high] = [quantileOf(ratios, 0.25), quantileOf(ratios, 0.75)]

  return {
    tables: [
      {
        title: 'A send, by the number of subscribers',
        columns: ['subscribers', 'sends', 'p50', 'p99', 'to the smallest'],
        rows: measured.map(({ subscribers, count, p50, p99 }) => [
          asCount(subscribers),
          asCount(count),
          asMs(p50),
          asMs(p99),
          asNumber(p50 / smallest.p50),
        ]),
        notes: [
          `ratio of the largest to the smallest: ${asNumber(ratio)}; half of the rounds gave ${asNumber(low)} to ${asNumber(high)}`,
        ],
      },
    ],
    targets: [
      {
        name: `a send to ${asCount(largest.subscribers)} subscribers, to one of ${smallest.subscribers}`,
        limit: MAX_RATIO,
        measured: ratio,
        unit: ' times',
      },
    ],
    data: { measured, ratio, ratios },
    bars: measured.map(({ subscribers, p50 }) => ({
      chart: 'subscribers',
      label: `${asCount(subscribers)} subscribers`,
      value: p50,
      isOther: false,
    })),
  }
}
