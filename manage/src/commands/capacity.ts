import type { Command } from 'commander'
import { measuredCosts } from '../capacity/measured-costs.ts'
import { type CapacityPlan, type Habits, planCapacity, usualHabits } from '../capacity/plan.ts'
import { moments, type Simulated, simulate } from '../capacity/simulate.ts'
import { UsageError } from '../kernel/errors.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails, renderTable } from '../terminal/table.ts'

/** The options, each with the habit that it sets. A percentage becomes a share. */
const OPTIONS = {
  online: {
    habit: 'onlineShare',
    isPercentage: true,
    help: 'of all people, those with an open client at the busiest time',
  },
  clients: { habit: 'clientsPerPerson', isPercentage: false, help: 'open clients of a person who is there' },
  streams: {
    habit: 'streamShare',
    isPercentage: true,
    help: 'of all clients, those that stream events instead of polling',
  },
  messages: { habit: 'messagesPerDay', isPercentage: false, help: 'messages that a person sends in a day' },
  readers: { habit: 'readersPerMessage', isPercentage: false, help: 'open clients that receive a message' },
  events: {
    habit: 'eventsPerMessage',
    isPercentage: false,
    help: 'other events for each message: reactions, typing',
  },
  pages: {
    habit: 'pagesPerDay',
    isPercentage: false,
    help: 'pages of messages that a person loads in a day',
  },
  peak: {
    habit: 'peakHourShare',
    isPercentage: true,
    help: 'of what happens in a day, the part in the busiest hour',
  },
} as const satisfies Record<string, { habit: keyof typeof usualHabits; isPercentage: boolean; help: string }>
type Option = keyof typeof OPTIONS

export function addCapacity(program: Command, terminal: Terminal): void {
  const command = program
    .command('capacity')
    .description(
      'calculate what an installation for so many people needs, from measured costs; needs no server',
    )
    .requiredOption('--people <number>', 'people with an account')
  for (const [name, { habit, isPercentage, help }] of Object.entries(OPTIONS)) {
    const usual = usualHabits[habit] * (isPercentage ? 100 : 1)
    command.option(`--${name} <${isPercentage ? 'percent' : 'number'}>`, `${help} (default: ${usual})`)
  }
  command.option(
    '--simulate',
    'also play some seconds of the busiest hour, with a replica away, and with half as much again',
  )
  registerAction<{ people: string; simulate?: true } & Partial<Record<Option, string>>>(
    command,
    terminal,
    async (_, { simulate: isSimulated, ...given }) => {
      const habits = habitsOf(given)
      const plan = planCapacity(habits, measuredCosts)
      const simulated = isSimulated
        ? moments.map((moment) => ({
            name: moment.name,
            ...simulate({ habits, plan, costs: measuredCosts }, moment),
          }))
        : null
      return {
        json: {
          ...{ habits, measured_on: measuredCosts.measuredOn, ...plan },
          ...(simulated && { simulated }),
        },
        text: [render(plan), ...(simulated ? ['', renderSimulated(simulated)] : [])].join('\n'),
      }
    },
  )
}

function renderSimulated(simulated: readonly (Simulated & { readonly name: string })[]): string {
  return [
    'Simulated, from the same costs; networks and disks take no time:',
    renderTable(
      ['MOMENT', 'SEND P50', 'P99', 'DELIVERY P50', 'P99', 'BUSIEST PART'],
      simulated.map(({ name, send, delivery, busiest }) => [
        name,
        ...[send.p50, send.p99, delivery.p50, delivery.p99].map((ms) => `${rounded(ms)} ms`),
        describeBusiest(busiest),
      ]),
    ),
  ].join('\n')
}

function describeBusiest({ name, usedShare }: Simulated['busiest']): string {
  const share = `${name}, ${rounded(usedShare * 100)} %`
  return usedShare > 1 ? `${share}: it falls behind` : share
}

function habitsOf({ people, ...given }: { people: string } & Partial<Record<Option, string>>): Habits {
  const changed = Object.entries(given).map(([name, text]) => {
    const { habit, isPercentage } = OPTIONS[name as Option]
    const value = parse(`--${name}`, text, isPercentage ? 100 : 1e9)
    return [habit, isPercentage ? value / 100 : value]
  })
  const count = parse('--people', people, 1e9)
  if (!Number.isInteger(count) || count === 0) throw new UsageError('--people must be a whole number above 0')
  return { people: count, ...usualHabits, ...Object.fromEntries(changed) }
}

function parse(option: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value > most)
    throw new UsageError(`${option} must be a number from 0 to ${most.toLocaleString('en')}, not '${text}'`)
  return value
}

const rounded = (value: number): number => Number(value.toPrecision(2))

function render({ load, services, servers, limits, ...plan }: CapacityPlan): string {
  const perSecond = (value: number) => `${rounded(value).toLocaleString('en')} a second`
  const isTooMuch = limits.some(({ usedShare }) => usedShare > 1)
  return [
    'At the busiest time:',
    renderDetails([
      ['  clients that wait', load.clients.toLocaleString('en')],
      ['  messages sent', perSecond(load.sendsPerSecond)],
      ['  events delivered', perSecond(load.deliveriesPerSecond)],
      ['  pages of messages', perSecond(load.pagesPerSecond)],
      ['  presence', perSecond(load.pingsPerSecond)],
    ]),
    '',
    renderTable(
      ['SERVICE', 'REPLICAS', 'BUSY CORES', 'GIB EACH'],
      services.map(({ name, replicas, busyCores, memoryGibEach }) => [
        ...[name, replicas, rounded(busyCores), rounded(memoryGibEach)],
      ]),
    ),
    '',
    renderTable(
      ['SERVER', 'CORES', 'BUSY CORES', ''],
      servers.map(({ name, cores, busyCores, note }) => [name, cores, rounded(busyCores), note]),
    ),
    '',
    `Disk: ${rounded(plan.messagesGibPerYear)} GiB of messages a year, ${rounded(plan.logGib)} GiB of log.`,
    '',
    isTooMuch ? 'More than one installation can do. What ends first:' : 'What would end first:',
    ...limits.map(
      ({ what, usedShare, remedy }) => `  ${rounded(usedShare * 100)} % of ${what}; then: ${remedy}`,
    ),
    '',
    `From measurements on: ${measuredCosts.measuredOn}`,
    'Cores are of that machine, and 60 % of each are planned for. Try it with your own load before you rely on it.',
  ].join('\n')
}
