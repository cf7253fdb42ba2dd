import type { Cost, SectionCosts } from './measured-costs.ts'
import type { Target } from './section.ts'

/** Processes that a delivery goes through. */
const DELIVERING = ['gateway', 'events', 'redis']

const sumOf = (cost: Cost, names: readonly string[] = Object.keys(cost)): number =>
  names.reduce((sum, name) => sum + (cost[name] ?? 0), 0)

/** Targets that compare a part of the run with a bare one, as far as both were measured. */
export function ratioTargets(costs: readonly SectionCosts[]): Target[] {
  const micros: Record<string, Cost> = Object.assign({}, ...costs.map((one) => one.micros))
  const perSecond: Record<string, number> = Object.assign({}, ...costs.map((one) => one.perSecond))
  const { pollDelivery, proxiedRequest } = micros
  const { transactions, sendsToOneChannel, sendsToChannels, pingsForAll } = perSecond
  const target = (name: string, limit: number, measured: number | null, unit = ' times'): Target[] =>
    measured === null ? [] : [{ name, limit, measured, unit }]
  const ratio = (part: number | undefined, of: number | undefined): number | null =>
    part === undefined || of === undefined ? null : part / of
  return [
    ...target(
      'CPU of a delivery to a pending poll (gateway, events, Redis), to that of a bare proxied request',
      2,
      pollDelivery && proxiedRequest ? sumOf(pollDelivery, DELIVERING) / sumOf(proxiedRequest) : null,
    ),
    ...target(
      'one-row transactions, to sends of 50 senders to one channel',
      7,
      ratio(transactions, sendsToOneChannel),
    ),
    ...target(
      'one-row transactions, to sends of 50 senders to a channel each',
      5,
      ratio(transactions, sendsToChannels),
    ),
    ...target('1,000 pings that ask for all 1,000 users', 1, ratio(1_000, pingsForAll), ' s'),
  ]
}
