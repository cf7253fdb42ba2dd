import { Agent } from 'node:http'
import { type Call, expectSuccess, formCall, send } from '../load/http-call.ts'
import { asCount, asMs } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeUsage, sendCall, senderOf, underLoad } from './bench.ts'

/** Concurrent changes: one, and as many as a large organization has at a busy moment. */
const CHANGERS = [1, 8] as const
const SENDERS = 20
const SUBSCRIBERS = 100

/**
 * The time of a change until it is in force everywhere, which is when it is acknowledged; and sends beside a stream of changes.
 * The change is a bot's new key, which concerns the gateway and messaging.
 */
export async function measureChanges(bench: Bench): Promise<SectionResult> {
  const { sizes, population } = bench
  const changes: Call[] = []
  for (let i = 0; i < Math.max(...CHANGERS); i++) changes.push(await createChange(bench, i))
  const sends: Call[] = []
  for (let i = 0; i < SENDERS; i++) {
    const channelId = await population.createChannel(`beside changes ${i}`, SUBSCRIBERS)
    sends.push(sendCall(bench, senderOf(population, i), channelId))
  }
  await population.analyze()

  const loop = { seconds: sizes.loadSeconds, warmUpSeconds: sizes.warmUpSeconds }
  const measured = []
  for (const [changers, senders] of [
    ...CHANGERS.map((count) => [count, 0] as const),
    [0, SENDERS],
    [1, SENDERS],
  ] as const) {
    const name = `${changers} who change, ${senders} who send`
    const { result, usage } = await underLoad(bench, name, async (load) => {
      const run = (calls: readonly Call[]) =>
        calls.length === 0 ? null : load.call('runClosedLoop', { calls, ...loop })
      return Promise.all([run(changes.slice(0, changers)), run(sends.slice(0, senders))])
    })
    const [changed, sent] = result.map(
      (one) => one && { perSecond: one.latencies.length / one.seconds, ...spreadOf(one.latencies) },
    )
    measured.push({ changers, senders, changed, sent, usage })
  }
  return {
    tables: [
      {
        title: 'Changes until they are in force everywhere, and sends beside them',
        columns: ['who change', 'changes/s', 'p50', 'p99', 'who send', 'sends/s', 'p50', 'p99'],
        rows: measured.map(({ changers, senders, changed, sent }) => [
          String(changers),
          ...(changed ? [asCount(changed.perSecond), asMs(changed.p50), asMs(changed.p99)] : ['', '', '']),
          String(senders),
          ...(sent ? [asCount(sent.perSecond), asMs(sent.p50), asMs(sent.p99)] : ['', '', '']),
        ]),
        notes: measured.map(
          ({ changers, senders, usage }) =>
            `busy cores, ${changers} who change and ${senders} who send: ${describeUsage(usage)}`,
        ),
      },
    ],
    data: measured,
  }
}

/** Creates a bot. Returns the call by which its owner replaces its key. */
async function createChange({ system, population }: Bench, index: number): Promise<Call> {
  const port = portOf(system.baseUrl)
  const authorization = authorizationOf(senderOf(population, index))
  const agent = new Agent()
  const fields = { full_name: `Changing ${index}`, short_name: `changing-${index}` }
  const created = expectSuccess(await send(agent, formCall(port, '/api/v1/bots', authorization, fields)))
  agent.destroy()
  const { user_id } = JSON.parse(created) as { user_id: number }
  return formCall(port, `/api/v1/bots/${user_id}/api_key/regenerate`, authorization, {})
}
