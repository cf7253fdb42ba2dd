// Writes the table of docs/capacity.md from the calculation of `manage capacity`. With --check it writes nothing, and fails if
// the file is out of date.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measuredCosts } from '../manage/src/capacity/measured-costs.ts'
import { type CapacityPlan, planCapacity, usualHabits } from '../manage/src/capacity/plan.ts'
import { updateGenerated } from './generated-files.ts'
import { repoRoot } from './repo-root.ts'

const DOCUMENT = 'docs/capacity.md'
const BEGIN = '<!-- tools/capacity-document.ts writes from here -->'
const END = '<!-- … to here -->'
const SIZES = [1_000, 10_000, 100_000, 1_000_000]

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
const block = `${BEGIN}\n\n${table(plans)}\n\nMeasured on: ${measuredCosts.measuredOn}\n\n`
updateGenerated('capacity-document.ts', { [DOCUMENT]: text.slice(0, start) + block + text.slice(end) })
