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
import type { BulkAccount } from '../setup/population.queries.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeCost, messageFields, senderOf, underLoad } from './bench.ts'

const SENDING = 10
/** People who are notified of a mention, and as many who have turned that off: there are accounts for so many. */
const MENTIONED = 25
/** 10,000 a minute. */
const PER_SECOND = 10_000 / 60
/** In turns, so that noise affects all alike. */
const ROUNDS = 3
/** A mail joins what came within this time. */
const BATCHING_SECONDS = 5
/** After a round its last mails are made. */
const MAILS_MS = (BATCHING_SECONDS + 3) * 1_000
const DEADLINE_MS = 60_000

/** What is sent, and what follows. */
const KINDS = {
  plain: 'without mentions',
  silent: 'each mentions a user who is notified of nothing',
  notified: 'each mentions a user who is notified',
} as const
type Kind = keyof typeof KINDS

interface Round {
  readonly sent: readonly Sent[]
  readonly usage: CpuUsage
  readonly seconds: number
  /** From the end of the sends to the last push. */
  readonly lagMs: number
}

/**
 * Sends at 10,000 a minute, in turns without mentions, with mentions of users who are notified of nothing, and with mentions of
 * users who are away, have a device, and are mailed. The push service is on this machine and answers at once; mails become files.
 */
export async function measureMentions(bench: Bench): Promise<SectionResult> {
  const { population, sizes } = bench
  const port = portOf(bench.system.baseUrl)
  const channelId = await population.createChannel('mentions', SENDING + 2 * MENTIONED + 1)
  await population.analyze()
  const sink = await startPushSink()
  const count = Math.round(PER_SECOND * sizes.loadSeconds * 2)
  const senders = Array.from({ length: SENDING }, (_, i) => senderOf(population, i))
  const [notified, silent] = [SENDING, SENDING + MENTIONED].map((first) =>
    Array.from({ length: MENTIONED }, (_, i) => senderOf(population, first + i)),
  ) as [BulkAccount[], BulkAccount[]]
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
  const mentionsOf = (people: readonly BulkAccount[], topic: string) =>
    people.map(({ userId }, i) => send(i, `${topic} ${i}`, `@**|${userId}** `))
  const calls = {
    plain: notified.map((_, i) => send(i, `plain ${i}`)),
    silent: mentionsOf(silent, 'silent mentions'),
    notified: mentionsOf(notified, 'mentions'),
  }
  const order = Array.from({ length: count }, (_, i) => i % MENTIONED)

  const round = async (kind: Kind, number: number): Promise<Round> => {
    const before = sink.count
    const { result, usage, seconds } = await underLoad(
      bench,
      `sends ${KINDS[kind]}, round ${number}`,
      async (load) => {
        const sent = await load.call('sendOnSchedule', { calls: calls[kind], order, perSecond: PER_SECOND })
        const endedAt = nowMs()
        while (kind === 'notified' && sink.count < before + count) {
          if (nowMs() > endedAt + DEADLINE_MS)
            throw new Error(`only ${sink.count - before} of ${count} pushes came`)
          await sleep(5)
        }
        return { sent, lagMs: nowMs() - endedAt }
      },
    )
    await sleep(MAILS_MS)
    return { ...result, usage, seconds }
  }
  try {
    await subscribe(bench, notified, sink.endpointOf)
    await changeSettings(bench, silent, { enable_offline_email_notifications: 'false' })
    // Warms up, and shows that messaging knows of the devices.
    while (sink.count < MENTIONED) {
      await bench.senders.call('sendTotal', { calls: calls.notified, total: MENTIONED })
      await sleep(MAILS_MS)
    }
    // A round that isn't counted fills the tables: statements planned for empty ones become slow while these grow, until PostgreSQL analyzes them.
    await round('notified', 0)
    await population.analyze()
    const kinds = Object.keys(KINDS) as Kind[]
    const rounds: Record<Kind, Round[]> = { plain: [], silent: [], notified: [] }
    for (let i = 1; i <= ROUNDS; i++) for (const kind of kinds) rounds[kind].push(await round(kind, i))
    return report(rounds, count)
  } finally {
    sink.close()
  }
}

/** Gives each a device, and mails about what they miss; nobody of them is active. */
async function subscribe(
  bench: Bench,
  people: readonly BulkAccount[],
  endpointOf: (name: string) => string,
): Promise<void> {
  const port = portOf(bench.system.baseUrl)
  for (const [i, person] of people.entries())
    await callOnce(
      bench,
      formCall(port, '/api/v1/users/me/web_push_subscriptions', authorizationOf(person), {
        endpoint: endpointOf(String(i)),
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      }),
    )
  await changeSettings(bench, people, {
    email_notifications_batching_period_seconds: String(BATCHING_SECONDS),
  })
}

async function changeSettings(
  bench: Bench,
  people: readonly BulkAccount[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const port = portOf(bench.system.baseUrl)
  for (const person of people)
    await callOnce(bench, {
      ...formCall(port, '/api/v1/settings', authorizationOf(person), settings),
      method: 'PATCH',
    })
}

const callOnce = (bench: Bench, call: ReturnType<typeof formCall>): Promise<unknown> =>
  bench.senders.call('sendTotal', { calls: [call], total: 1 })

function report(rounds: Readonly<Record<Kind, readonly Round[]>>, count: number): SectionResult {
  const measured = (Object.entries(rounds) as [Kind, readonly Round[]][]).map(([kind, all]) => ({
    kind,
    ...spreadOf(all.flatMap(({ sent }) => sent.map(({ replyMs }) => replyMs))),
    lagMs: Math.max(...all.map(({ lagMs }) => lagMs)),
    costs: all.map((one) =>
      describeCost({ ...one, count }, ['gateway', 'messaging', 'users', 'events', 'postgres', 'rabbitmq']),
    ),
  }))
  const p50Of = (one: Kind) => measured.find(({ kind }) => kind === one)?.p50 ?? Number.NaN
  const [ratio, mentionRatio] = [p50Of('notified') / p50Of('silent'), p50Of('silent') / p50Of('plain')]
  return {
    tables: [
      {
        title: `Sends at ${asCount(PER_SECOND * 60)} a minute, without mentions and with one each, whose user is notified or not`,
        columns: ['messages', 'p50', 'p99', 'last push after the last send'],
        rows: measured.map(({ kind, p50, p99, lagMs }) => [
          KINDS[kind],
          asMs(p50),
          asMs(p99),
          kind === 'notified' ? asMs(lagMs) : '–',
        ]),
        notes: [
          `p50 with notifications, to that of mentions without: ${asNumber(ratio)}; of these, to that without mentions: ${asNumber(mentionRatio)}`,
          ...measured.map(({ kind, costs }) => `CPU of one, ${KINDS[kind]}, by round: ${costs.join('; ')}`),
        ],
      },
    ],
    data: { rounds, measured, ratio, mentionRatio },
  }
}
