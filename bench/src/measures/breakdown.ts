import type { ServiceName } from '@tms/local-system'
import { createUserTokenSigner } from '@tms/service-kit'
import { formCall } from '../load/http-call.ts'
import type { Broadcast } from '../load/listeners.ts'
import { asMs, asPercent } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { medianOf, spreadOf } from '../report/statistics.ts'
import type { Table } from '../report/table.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, messageFields, sendCall, senderOf, underLoad } from './bench.ts'
import { cutIntoSteps, type ServiceMark, type Step } from './steps.rules.ts'

const TRACED: readonly ServiceName[] = ['gateway', 'messaging', 'events']
const ROLE_MEMBER = 400

const at =
  (service: ServiceName, what: ServiceMark['what'], name?: string) =>
  (mark: ServiceMark): boolean =>
    mark.service === service && mark.what === what && (name === undefined || mark.name.startsWith(name))

const PATH = '/api/v1/messages'
const ROUTING_KEY = 'messaging.message_sent'

const toTheStore: readonly Step[] = [
  { label: 'client → gateway', ends: at('gateway', 'request-in', `POST ${PATH}`) },
  // Requests arrive over a link, which emits no event of HTTP, and the topic is mostly recalled.
  {
    label: 'gateway to messaging: identity, link; checks, rendering',
    ends: at('messaging', 'sql', 'store-message'),
  },
  { label: 'messaging: the transaction', ends: at('messaging', 'sql-end', 'store-message') },
]
const toTheReply: readonly Step[] = [
  ...toTheStore,
  { label: 'messaging: answer', ends: at('messaging', 'frame-out') },
  { label: 'gateway: hand back', ends: at('gateway', 'reply-out', `POST ${PATH}`) },
]
const toTheDelivery: readonly Step[] = [
  ...toTheStore,
  { label: 'relay: wake', ends: at('messaging', 'sql', 'outbox-claim') },
  { label: 'relay: claim from the outbox', ends: at('messaging', 'sql-end', 'outbox-claim') },
  { label: 'relay: publish', ends: at('messaging', 'publish', ROUTING_KEY) },
  { label: 'RabbitMQ → events', ends: at('events', 'log-entry', ROUTING_KEY) },
  { label: 'events: apply, until the commit is sent', ends: at('events', 'redis', 'evalsha') },
  { label: 'events: commit to Redis', ends: at('events', 'redis-end', 'evalsha') },
  { label: 'events: wake-up, render, answer', ends: at('events', 'frame-out') },
  { label: 'gateway: hand on', ends: at('gateway', 'reply-out', 'GET /api/v1/events') },
]

/** Where the time of a send and of its delivery is spent, from marks in the processes and from direct calls. */
export async function measureBreakdown(bench: Bench): Promise<SectionResult> {
  const { sizes, population, listeners, senders, system } = bench
  const sender = senderOf(population)
  const channelId = await population.createChannel('breakdown', 10)
  const call = sendCall(bench, sender, channelId)
  await listeners.call('register', {
    ports: [portOf(system.baseUrl)],
    authorizations: [authorizationOf(senderOf(population, 1))],
    concurrency: 1,
  })
  await listeners.call('follow', {})

  await listeners.call('broadcast', { call, messages: 30 })
  await Promise.all(TRACED.map((service) => bench.callProbe(service, 'startTrace')))
  const { result: sends } = await underLoad(bench, 'traced sends', () =>
    listeners.call('broadcast', { call, messages: sizes.tracedSends }),
  )
  const marks: ServiceMark[] = []
  for (const service of TRACED) {
    for (const mark of await bench.callProbe(service, 'stopTrace')) marks.push({ ...mark, service })
  }
  marks.sort((a, b) => a.at - b.at)
  await listeners.call('stopPolling')

  const token = createUserTokenSigner(system.keys.jwt.privateKey)({
    userId: sender.userId,
    realmId: population.realmId,
    role: ROLE_MEMBER,
    isBot: false,
  })
  const messagingPort = portOf(system.urls.messaging[0] ?? '')
  const direct = (path: string, fields: Record<string, string>) =>
    formCall(messagingPort, path, `Bearer ${token}`, fields)
  const { content = '' } = messageFields(channelId)
  const rounds = await senders.call('sendInRounds', {
    calls: [call, direct(PATH, messageFields(channelId)), direct(`${PATH}/render`, { content })],
    rounds: 8,
    perRound: Math.ceil(sizes.tracedSends / 8),
  })
  const [viaGateway, straight, render] = rounds.map((one) => spreadOf(one.flat()))
  if (!viaGateway || !straight || !render) throw new Error('nothing was measured')

  const reply = tableOfSteps(
    'Where the time of a send goes',
    marks,
    sends,
    toTheReply,
    'gateway → client',
    ({ startedAt, replyMs }) => startedAt + replyMs,
  )
  const delivery = tableOfSteps(
    'Where the time of a delivery goes',
    marks,
    sends,
    toTheDelivery,
    'gateway → listener',
    ({ startedAt, lastMs }) => startedAt + lastMs,
  )
  const confirmMs = medianOf(confirmTimes(marks))
  return {
    tables: [
      {
        ...reply.table,
        notes: [
          `without marks: ${asMs(viaGateway.p50)} through the gateway, ${asMs(straight.p50)} sent to messaging directly, ` +
            `so the gateway's part is ${asMs(viaGateway.p50 - straight.p50)}; rendering alone, sent to messaging directly: ${asMs(render.p50)}`,
        ],
      },
      {
        ...delivery.table,
        notes: [`the publish is confirmed after ${asMs(confirmMs)}; delivery doesn't wait for that`],
      },
    ],
    data: { reply: reply.data, delivery: delivery.data, confirmMs, viaGateway, straight, render },
  }
}

function tableOfSteps(
  title: string,
  marks: readonly ServiceMark[],
  sends: readonly Broadcast[],
  steps: readonly Step[],
  lastLabel: string,
  endOf: (send: Broadcast) => number,
): { table: Table; data: unknown } {
  const cut = sends.flatMap((send) => {
    const lengths = cutIntoSteps(marks, steps, { startedAt: send.startedAt, endedAt: endOf(send) })
    return lengths === null ? [] : [lengths]
  })
  if (cut.length < sends.length / 2) {
    throw new Error(`${title}: marks are missing for ${sends.length - cut.length} of ${sends.length} sends`)
  }
  const measured = [...steps.map(({ label }) => label), lastLabel].map((label, i) => ({
    label,
    ...spreadOf(cut.map((lengths) => lengths[i] ?? Number.NaN)),
  }))
  const total = spreadOf(cut.map((lengths) => lengths.reduce((sum, ms) => sum + ms, 0)))
  const share = (ms: number) => asPercent(ms / total.p50)
  return {
    table: {
      title,
      columns: ['step', 'p50', 'p99', 'share of p50'],
      rows: [
        ...measured.map(({ label, p50, p99 }) => [label, asMs(p50), asMs(p99), share(p50)]),
        ['all of it', asMs(total.p50), asMs(total.p99), ''],
      ],
      notes: [],
    },
    data: { steps: measured, total, traced: cut.length },
  }
}

/** From each publish of a message to its confirm. */
function confirmTimes(marks: readonly ServiceMark[]): number[] {
  const own = marks.filter(({ service, name }) => service === 'messaging' && name.startsWith(ROUTING_KEY))
  return own.flatMap((mark, i) => {
    const next = own[i + 1]
    return mark.what === 'publish' && next?.what === 'confirm' ? [next.at - mark.at] : []
  })
}
