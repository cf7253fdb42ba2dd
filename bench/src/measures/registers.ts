import { Agent } from 'node:http'
import type { ServiceName } from '@tms/local-system'
import { type Call, expectSuccess, formCall, send } from '../load/http-call.ts'
import type { Registers } from '../load/registers.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount, asMb, asMs } from '../report/format.ts'
import { readPeak, resetPeak } from '../report/resident-memory.ts'
import type { SectionResult, Target } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import type { Table } from '../report/table.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeUsage, senderOf, underLoad } from './bench.ts'

/** What clients request: everything by default, mostly compressed, while bots mostly request messages only. */
const REQUESTED: Readonly<Record<string, Requested>> = {
  everything: { fields: {} },
  'everything, compressed': { fields: {}, headers: { 'accept-encoding': 'gzip' } },
  'everything, with subscribers': { fields: { include_subscribers: 'true' } },
  'messages alone': { fields: { event_types: '["message"]', fetch_event_types: '["message"]' } },
}

interface Requested {
  readonly fields: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

interface Measured {
  readonly users: number
  readonly name: string
  readonly atOnce: number
  readonly registers: Registers
  readonly usage: CpuUsage
}

interface Growth {
  readonly users: number
  readonly service: ServiceName
  /** Bytes; before and after without garbage. */
  readonly before: number
  readonly peak: number
  readonly after: number
}

/** The time to register in organizations of growing size, the size of the responses, and the memory that it takes. */
export async function measureRegistering(bench: Bench): Promise<SectionResult> {
  const { sizes, population } = bench
  const { rounds, atOnce } = sizes.registers
  const measured: Measured[] = []
  const growth: Growth[] = []
  for (const count of sizes.registers.users) {
    const done = bench.progress.step(`an organization of ${count}`)
    await population.grow(count)
    await population.createChannel(`everyone of ${count}`, count)
    await population.analyze()
    done()
    const bystander = await pollOfBystander(bench)
    for (const [name, requested] of Object.entries(REQUESTED)) {
      const call = registerCall(bench, requested)
      const what = `registers among ${count} that ask for ${name}`
      const work = { call, bystander, total: rounds, atOnce: 1 }
      const { result, usage } = await underLoad(bench, what, (load) => load.call('measureRegisters', work))
      measured.push({ users: count, name, atOnce: 1, registers: result, usage })
    }
    const registerAtOnce = (what: string) =>
      underLoad(bench, `${atOnce} registers at once among ${count}${what}`, (load) =>
        load.call('measureRegisters', {
          call: registerCall(bench, { fields: {} }),
          bystander,
          total: rounds,
          atOnce,
        }),
      )
    const { result, usage } = await registerAtOnce('')
    measured.push({ users: count, name: 'everything', atOnce, registers: result, usage })
    // By themselves: to collect garbage on demand discards compiled code, too, and what follows is slow for a while.
    const before = await memoryWithoutGarbage(bench)
    for (const { pid } of bench.system.replicas) if (pid !== null) resetPeak(pid)
    await registerAtOnce(', for their memory')
    const peaks = bench.system.replicas.map(({ pid }) => (pid === null ? 0 : readPeak(pid)))
    const after = await memoryWithoutGarbage(bench)
    for (const [index, { service }] of bench.system.replicas.entries()) {
      const [from = 0, peak = 0, to = 0] = [before[index], peaks[index], after[index]]
      growth.push({ users: count, service, before: from, peak, after: to })
    }
  }
  return {
    tables: [timeTable(measured), memoryTable(growth, atOnce)],
    targets: targetsOf(measured),
    data: { measured, growth },
  }
}

/** For everything, in the largest organization, one and several at once. */
function targetsOf(measured: readonly Measured[]): Target[] {
  const most = Math.max(...measured.map(({ users }) => users))
  return measured
    .filter(({ users, name }) => users === most && name === 'everything')
    .map(({ atOnce, registers }) => ({
      name: `register among ${asCount(most)}, ${atOnce} at once: p99`,
      limit: atOnce === 1 ? 300 : 1_500,
      measured: spreadOf(registers.latencies).p99,
      unit: ' ms',
    }))
}

/** Of the last account: other parts give the first ones as many unread messages as an answer may have. */
const registerCall = (
  { system, population: { accounts } }: Bench,
  { fields, headers = {} }: Requested,
): Call => {
  const account = accounts.at(-1)
  if (!account) throw new Error('there are no accounts')
  const call = formCall(portOf(system.baseUrl), '/api/v1/register', authorizationOf(account), fields)
  return { ...call, headers: { ...call.headers, ...headers } }
}

/** A poll of another user that returns at once. */
async function pollOfBystander({ system, population }: Bench): Promise<Call> {
  const authorization = authorizationOf(senderOf(population, 1))
  const port = portOf(system.baseUrl)
  const fields = { event_types: '["message"]', fetch_event_types: '[]' }
  const answer = await send(new Agent(), formCall(port, '/api/v1/register', authorization, fields))
  const { queue_id } = JSON.parse(expectSuccess(answer)) as { queue_id: string }
  const path = `/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`
  return { port, method: 'GET', path, headers: { authorization, 'user-agent': 'bench' } }
}

const memoryWithoutGarbage = ({ system, callProbe }: Bench): Promise<number[]> =>
  Promise.all(system.replicas.map(async ({ service }) => (await callProbe(service, 'memory')).rss))

function timeTable(measured: readonly Measured[]): Table {
  return {
    title: 'Registering a queue, by the number of users in the organization',
    columns: ['users', 'asking for', 'at once', 'first', 'p50', 'p99', 'answer', 'others wait (p99)'],
    rows: measured.map(({ users, name, atOnce, registers }) => {
      const { p50, p99 } = spreadOf(registers.latencies)
      const others = asMs(spreadOf(registers.bystander).p99)
      const first = asMs(registers.latencies[0] ?? Number.NaN)
      return [
        asCount(users),
        name,
        String(atOnce),
        first,
        asMs(p50),
        asMs(p99),
        asMb(registers.bytes),
        others,
      ]
    }),
    notes: [
      'first: the first one after the organization has grown, when nothing of it is known yet',
      'others: a client that polls its queue meanwhile, and is answered at once',
      ...measured.map(
        ({ users, name, atOnce, usage }) =>
          `busy cores, ${asCount(users)}, ${name}, ${atOnce} at once: ${describeUsage(usage)}`,
      ),
    ],
  }
}

function memoryTable(growth: readonly Growth[], atOnce: number): Table {
  return {
    title: `Memory of the services while ${atOnce} clients at once register again and again`,
    columns: ['users', 'service', 'before', 'at most', 'after'],
    rows: growth.map(({ users, service, before, peak, after }) => [
      asCount(users),
      service,
      asMb(before),
      asMb(peak),
      asMb(after),
    ]),
    notes: ['resident; before and after when garbage was collected'],
  }
}
