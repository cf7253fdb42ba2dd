// Writes the table of docs/capacity.md from the calculation of `manage capacity`. With --check it writes nothing, and fails if
// the file is out of date.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measuredCosts } from '../manage/src/capacity/measured-costs.ts'
import { type CapacityPlan, planCapacity, usualHabits } from '../manage/src/capacity/plan.ts'
import { moments, simulate } from '../manage/src/capacity/simulate.ts'
import { updateGenerated } from './generated-files.ts'
import { repoRoot } from './repo-root.ts'

const DOCUMENT = 'docs/capacity.md'
const BEGIN = '<!-- tools/capacity-document.ts writes from here -->'
const END = '<!-- … to here -->'
const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const SIMULATED = [10_000, 100_000, 1_000_000, 4_000_000]

const SIMULATION = `Simulated (\`manage capacity --simulate\`): some seconds of the busiest hour, in which each request, log entry and delivery takes its\nmeasured CPU at each process on its way, and waits for what came before it there. Above 100 % a part falls behind: four million people are more than one\nPostgreSQL of 64 cores can serve, and are four installations of a million each.`

const count = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en')

const replicasOf = ({ services }: CapacityPlan, name: string): string => {
  const service = services.find((one) => one.name === name)
  return `${service?.replicas ?? 0} × ${count(service?.memoryGibEach ?? 0)} GiB`
}
const coresOf = ({ servers }: CapacityPlan, name: string): string =>
  String(servers.find((one) => one.name === name)?.cores ?? 0)

/** Rows by what is planned, columns by the number of people. */
function table(plans: readonly CapacityPlan[]): string {
  const rows: [string, (plan: CapacityPlan) => string][] = [
    ['clients that wait', ({ load }) => count(load.clients)],
    ['messages a second', ({ load }) => count(load.sendsPerSecond)],
    ['deliveries a second', ({ load }) => count(load.deliveriesPerSecond)],
    ...['gateway', 'users', 'realm', 'messaging', 'events'].map(
      (name): [string, (plan: CapacityPlan) => string] => [name, (plan) => replicasOf(plan, name)],
    ),
    ['cores of PostgreSQL', (plan) => coresOf(plan, 'postgres')],
    ['cores of Redis', (plan) => coresOf(plan, 'redis')],
    ['cores of RabbitMQ', (plan) => coresOf(plan, 'rabbitmq')],
    ['messages a year', ({ messagesGibPerYear }) => `${count(messagesGibPerYear)} GiB`],
    ['log', ({ logGib }) => `${count(logGib)} GiB`],
    [
      'nearest limit',
      ({ limits: [nearest] }) => `${count((nearest?.usedShare ?? 0) * 100)} % of ${nearest?.what ?? ''}`,
    ],
  ]
  const lines = [
    ['at the busiest time', ...SIZES.map((people) => `${people.toLocaleString('en')} people`)],
    ...rows.map(([name, show]) => [name, ...plans.map(show)]),
  ]
  return align(lines)
}

/** What a simulation of some seconds shows, by size and moment. */
function simulation(): string {
  const ms = ({ p50, p99 }: { readonly p50: number; readonly p99: number }) =>
    `${count(p50)}, ${count(p99)} ms`
  return align([
    ['people', 'moment', 'send: p50, p99', 'delivery: p50, p99', 'busiest part'],
    ...SIMULATED.flatMap((people) => {
      const habits = { ...usualHabits, people }
      const plan = planCapacity(habits, measuredCosts)
      return moments.map((moment) => {
        const { send, delivery, busiest } = simulate({ habits, plan, costs: measuredCosts }, moment)
        const share = `${busiest.name}, ${count(busiest.usedShare * 100)} %`
        return [people.toLocaleString('en'), moment.name, ms(send), ms(delivery), share]
      })
    }),
  ])
}

/** A table of Markdown, the first column to the left. */
function align(lines: readonly (readonly string[])[]): string {
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? []
  const ruler = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  const padded = lines.map((cells) =>
    cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  )
  const [head, ...body] = padded
  return [head ?? [], ruler, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const text = readFileSync(join(repoRoot, DOCUMENT), 'utf8')
const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)]
if (start < 0 || end < start) throw new Error(`${DOCUMENT} has no marks for the table`)
const plans = SIZES.map((people) => planCapacity({ ...usualHabits, people }, measuredCosts))
const block = `${BEGIN}\n\n${table(plans)}\n\n${SIMULATION}\n\n${simulation()}\n\nMeasured on: ${measuredCosts.measuredOn}\n\n`
updateGenerated('capacity-document.ts', { [DOCUMENT]: text.slice(0, start) + block + text.slice(end) })
