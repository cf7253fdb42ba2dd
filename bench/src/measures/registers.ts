import { Agent } from 'node:http'
import type { ServiceName } from '@tms/local-system'
import { type Call, expectSuccess, formCall, send } from '../load/http-call.ts'
import type { Registers } from '../load/registers.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount, asMb, asMs } from '../report/format.ts'
import { readPeak, resetPeak } from '../report/resident-memory.ts'
import type { SectionResult } from '../report/section.ts'
import type { Table } from '../report/table.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { spreadOf } from '../statistics.ts'
import { type Bench, describeUsage, senderOf, underLoad } from './bench.ts'

/** What clients ask for: all there is by default, and those of bots mostly no more than messages. */
const ASKED: Readonly<Record<string, Record<string, string>>> = {
  everything: {},
  'everything, with subscribers': { include_subscribers: 'true' },
  'messages alone': { event_types: '["message"]', fetch_event_types: '["message"]' },
}

interface Measured {
  readonly people: number
  readonly name: string
  readonly atOnce: number
  readonly registers: Registers
  readonly usage: CpuUsage
}

interface Growth {
  readonly people: number
  readonly service: ServiceName
  /** Bytes; before and after without garbage. */
  readonly before: number
  readonly peak: number
  readonly after: number
}

/** How long it takes to register in organizations of growing size, how large the answers are, and what memory it takes. */
export async function measureRegistering(bench: Bench): Promise<SectionResult> {
  const { sizes, people } = bench
  const { rounds, atOnce } = sizes.registers
  const measured: Measured[] = []
  const growth: Growth[] = []
  for (const count of sizes.registers.people) {
    const done = bench.progress.step(`an organization of ${count}`)
    await people.grow(count)
    await people.createChannel(`everyone of ${count}`, count)
    await people.settle()
    done()
    const bystander = await pollOfBystander(bench)
    for (const [name, fields] of Object.entries(ASKED)) {
      const call = registerCall(bench, fields)
      const what = `registers among ${count} that ask for ${name}`
      const work = { call, bystander, total: rounds, atOnce: 1 }
      const { result, usage } = await underLoad(bench, what, (load) => load.call('measureRegisters', work))
      measured.push({ people: count, name, atOnce: 1, registers: result, usage })
    }
    const before = await memoryWithoutGarbage(bench)
    for (const { pid } of bench.system.replicas) if (pid !== null) resetPeak(pid)
    const crowd = { call: registerCall(bench, {}), bystander, total: rounds, atOnce }
    const { result, usage } = await underLoad(bench, `${atOnce} registers at once among ${count}`, (load) =>
      load.call('measureRegisters', crowd),
    )
    measured.push({ people: count, name: 'everything', atOnce, registers: result, usage })
    const peaks = bench.system.replicas.map(({ pid }) => (pid === null ? 0 : readPeak(pid)))
    const after = await memoryWithoutGarbage(bench)
    for (const [index, { service }] of bench.system.replicas.entries()) {
      const [from = 0, peak = 0, to = 0] = [before[index], peaks[index], after[index]]
      growth.push({ people: count, service, before: from, peak, after: to })
    }
  }
  return { tables: [timeTable(measured), memoryTable(growth, atOnce)], data: { measured, growth } }
}

const registerCall = ({ system, people }: Bench, fields: Record<string, string>): Call =>
  formCall(portOf(system.baseUrl), '/api/v1/register', authorizationOf(senderOf(people)), fields)

/** A poll of somebody else that is answered at once. */
async function pollOfBystander({ system, people }: Bench): Promise<Call> {
  const authorization = authorizationOf(senderOf(people, 1))
  const port = portOf(system.baseUrl)
  const fields = { event_types: '["message"]', fetch_event_types: '[]' }
  const answer = await send(new Agent(), formCall(port, '/api/v1/register', authorization, fields))
  const { queue_id } = JSON.parse(expectSuccess(answer)) as { queue_id: string }
  const path = `/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`
  return { port, method: 'GET', path, headers: { authorization, 'user-agent': 'bench' } }
}

const memoryWithoutGarbage = ({ system, ask }: Bench): Promise<number[]> =>
  Promise.all(system.replicas.map(async ({ service }) => (await ask(service, 'memory')).rss))

function timeTable(measured: readonly Measured[]): Table {
  return {
    title: 'Registering a queue, by the number of people in the organization',
    columns: ['people', 'asking for', 'at once', 'p50', 'p99', 'answer', 'gzipped', 'others wait (p99)'],
    rows: measured.map(({ people, name, atOnce, registers }) => {
      const { p50, p99 } = spreadOf(registers.latencies)
      const sizes = [asMb(registers.bytes), asMb(registers.gzippedBytes)]
      const others = asMs(spreadOf(registers.bystander).p99)
      return [asCount(people), name, String(atOnce), asMs(p50), asMs(p99), ...sizes, others]
    }),
    notes: [
      'others: a client that polls its queue meanwhile, and is answered at once',
      ...measured.map(
        ({ people, name, atOnce, usage }) =>
          `busy cores, ${asCount(people)}, ${name}, ${atOnce} at once: ${describeUsage(usage)}`,
      ),
    ],
  }
}

function memoryTable(growth: readonly Growth[], atOnce: number): Table {
  return {
    title: `Memory of the services while ${atOnce} clients at once register again and again`,
    columns: ['people', 'service', 'before', 'at most', 'after'],
    rows: growth.map(({ people, service, before, peak, after }) => [
      asCount(people),
      service,
      asMb(before),
      asMb(peak),
      asMb(after),
    ]),
    notes: ['resident; before and after when garbage was collected'],
  }
}
