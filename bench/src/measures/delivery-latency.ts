import { asMs, asNumber } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, sendCall, senderOf, underLoad } from './bench.ts'

/** Target: a delivery takes at most this multiple of its unavoidable parts. */
const MAX_RATIO = 3

/** From a send to its arrival in another user's long-poll, and the unavoidable parts of that. */
export async function measureDelivery(bench: Bench): Promise<SectionResult> {
  const { sizes, population, listeners, bare, servers } = bench
  const [sender, listener] = [senderOf(population, 0), senderOf(population, 1)]
  const channelId = await population.createChannel('delivery', 10)
  await listeners.call('register', {
    ports: [portOf(bench.system.baseUrl)],
    authorizations: [authorizationOf(listener)],
    concurrency: 1,
  })
  await listeners.call('follow', {})
  const { result } = await underLoad(bench, 'sends and their delivery', () =>
    listeners.call('measureDeliveries', {
      sendCall: sendCall(bench, sender, channelId),
      oneHopCall: bare.helloCall,
      twoHopsCall: bare.proxiedCall,
      urls: { postgres: servers.postgres.url, rabbitmq: servers.rabbitmq.url },
      rounds: sizes.deliveryRounds,
      perRound: sizes.deliveriesPerRound,
    }),
  )
  await listeners.call('stopPolling')

  const measured = {
    delivery: spreadOf(result.deliveries),
    reply: spreadOf(result.replies),
    transaction: spreadOf(result.transactions),
    confirm: spreadOf(result.confirms),
    twoHops: spreadOf(result.twoHops),
    oneHop: spreadOf(result.oneHop),
  }
  const { delivery, transaction, confirm, twoHops, oneHop } = measured
  const sum = transaction.p50 + confirm.p50 + twoHops.p50
  const sumOfSingleHops = transaction.p50 + confirm.p50 + 2 * oneHop.p50
  const row = (name: string, { p50, p99 }: { p50: number; p99: number }) => [name, asMs(p50), asMs(p99)]
  return {
    tables: [
      {
        title: 'From a send to its delivery',
        columns: ['', 'p50', 'p99'],
        rows: [
          row('send → delivered to a long-poll', delivery),
          row('send → reply to the sender', measured.reply),
          row('bare: one transaction', transaction),
          row('bare: one confirm', confirm),
          row('bare: two HTTP hops (a proxy and a server)', twoHops),
          row('bare: one HTTP hop', oneHop),
        ],
        notes: [
          `sum of the bare parts at p50: ${asMs(sum)}; delivery is ${asNumber(delivery.p50 / sum)} times that` +
            ` (${asNumber(delivery.p50 / sumOfSingleHops)} times, with twice one hop in place of the two)`,
        ],
      },
    ],
    targets: [
      {
        name: 'delivery p50, to one transaction + one confirm + two HTTP hops',
        limit: MAX_RATIO,
        measured: delivery.p50 / sum,
        unit: ' times',
      },
    ],
    data: { ...measured, sum, sumOfSingleHops, samples: result },
  }
}
