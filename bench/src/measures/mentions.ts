import { createECDH, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPushSink } from '../bare/push-sink.ts'
import { formCall } from '../load/http-call.ts'
import type { Sent } from '../load/schedule.ts'
import { nowMs } from '../processes/clock.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount, asMs, asNumber } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeCost, messageFields, senderOf, underLoad } from './bench.ts'

const SENDING = 10
const MENTIONED = 50
/** 10,000 a minute. */
const PER_SECOND = 10_000 / 60
/** In turns, so that noise affects both alike. */
const ROUNDS = 3
/** A mail joins what came within this time. */
const BATCHING_SECONDS = 5
/** After a round its last mails are made. */
const MAILS_MS = (BATCHING_SECONDS + 3) * 1_000
const DEADLINE_MS = 60_000

interface Round {
  readonly sent: readonly Sent[]
  readonly usage: CpuUsage
  readonly seconds: number
  /** From the end of the sends to the last push. */
  readonly lagMs: number
}

/**
 * Sends at 10,000 a minute, of which in every other round each mentions a user who is away, has a device, and is mailed. The push
 * service is on this machine and answers at once; mails become files.
 */
export async function measureMentions(bench: Bench): Promise<SectionResult> {
  const { population, sizes } = bench
  const port = portOf(bench.system.baseUrl)
  const channelId = await population.createChannel('mentions', SENDING + MENTIONED + 1)
  await population.analyze()
  const sink = await startPushSink()
  const count = Math.round(PER_SECOND * sizes.loadSeconds * 2)
  const senders = Array.from({ length: SENDING }, (_, i) => senderOf(population, i))
  const mentioned = Array.from({ length: MENTIONED }, (_, i) => senderOf(population, SENDING + i))
  // A topic each, since a user who is mentioned follows the topic from then on and would be notified of every message there.
  const send = (index: number, topic: string, mention = '') => {
    const fields = messageFields(channelId)
    const sender = senders[index % SENDING] ?? senderOf(population)
    return formCall(port, '/api/v1/messages', authorizationOf(sender), {
      ...fields,
      topic,
      content: `${mention}${fields['content']}`,
    })
  }
  const plain = mentioned.map((_, i) => send(i, `plain ${i}`))
  const mentions = mentioned.map(({ userId }, i) => send(i, `mentions ${i}`, `@**|${userId}** `))
  const order = Array.from({ length: count }, (_, i) => i % MENTIONED)

  const round = async (name: string, calls: typeof plain): Promise<Round> => {
    const before = sink.count
    const { result, usage, seconds } = await underLoad(bench, name, async (load) => {
      const sent = await load.call('sendOnSchedule', { calls, order, perSecond: PER_SECOND })
      const endedAt = nowMs()
      while (calls === mentions && sink.count < before + count) {
        if (nowMs() > endedAt + DEADLINE_MS)
          throw new Error(`only ${sink.count - before} of ${count} pushes came`)
        await sleep(5)
      }
      return { sent, lagMs: nowMs() - endedAt }
    })
    await sleep(MAILS_MS)
    return { ...result, usage, seconds }
  }
  try {
    await subscribe(bench, mentioned, sink.endpointOf)
    // Warms up, and shows that messaging knows of the devices.
    while (sink.count < MENTIONED) {
      await bench.senders.call('sendTotal', { calls: mentions, total: MENTIONED })
      await sleep(MAILS_MS)
    }
    const rounds: Record<'plain' | 'mentions', Round[]> = { plain: [], mentions: [] }
    for (let i = 1; i <= ROUNDS; i++) {
      rounds.plain.push(await round(`sends, round ${i}`, plain))
      rounds.mentions.push(await round(`sends with mentions, round ${i}`, mentions))
    }
    return report(rounds, count)
  } finally {
    sink.close()
  }
}

/** Gives each a device, and mails about what they miss; nobody of them is active. */
async function subscribe(
  bench: Bench,
  people: readonly { readonly email: string; readonly apiKey: string }[],
  endpointOf: (name: string) => string,
): Promise<void> {
  const port = portOf(bench.system.baseUrl)
  const calls = people.flatMap((account, i) => [
    formCall(port, '/api/v1/users/me/web_push_subscriptions', authorizationOf(account), {
      endpoint: endpointOf(String(i)),
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    }),
    {
      ...formCall(port, '/api/v1/settings', authorizationOf(account), {
        email_notifications_batching_period_seconds: String(BATCHING_SECONDS),
      }),
      method: 'PATCH' as const,
    },
  ])
  for (const call of calls) await bench.senders.call('sendTotal', { calls: [call], total: 1 })
}

function report(
  rounds: Readonly<Record<'plain' | 'mentions', readonly Round[]>>,
  count: number,
): SectionResult {
  const measured = Object.entries(rounds).map(([kind, all]) => ({
    kind,
    ...spreadOf(all.flatMap(({ sent }) => sent.map(({ replyMs }) => replyMs))),
    lagMs: Math.max(...all.map(({ lagMs }) => lagMs)),
    costs: all.map((one) =>
      describeCost({ ...one, count }, ['gateway', 'messaging', 'users', 'events', 'postgres', 'rabbitmq']),
    ),
  }))
  const [plain, mentions] = measured
  const ratio = (mentions?.p50 ?? Number.NaN) / (plain?.p50 ?? Number.NaN)
  return {
    tables: [
      {
        title: `Sends at ${asCount(PER_SECOND * 60)} a minute, without mentions and with one each`,
        columns: ['messages', 'p50', 'p99', 'last push after the last send'],
        rows: measured.map(({ kind, p50, p99, lagMs }) => [
          kind === 'plain' ? 'without mentions' : 'each mentions a user who is away',
          asMs(p50),
          asMs(p99),
          kind === 'plain' ? '–' : asMs(lagMs),
        ]),
        notes: [
          `p50 with mentions, to that without: ${asNumber(ratio)}`,
          ...measured.map(({ kind, costs }) => `CPU of one, ${kind}, by round: ${costs.join('; ')}`),
        ],
      },
    ],
    data: { rounds, measured, ratio },
  }
}
