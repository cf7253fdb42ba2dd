import { BROWSER_TARGETS } from './browser-services.rules.ts'
import type { Delivery, Slots } from './delivery.queries.ts'

type Attempt = Pick<Delivery, 'target' | 'accountId' | 'isBulk'>

/** Concurrent attempts of one replica at all addresses that users named. They mostly wait. */
const MAX_NAMED = 64
/** At one of these: one that doesn't answer delays only its own. */
const MAX_OF_TARGET = 16
/** At each service of apps and browsers, which the addresses that users name can't take. */
const MAX_OF_SERVICE = 32
const OF_SERVICES: Readonly<Record<string, number>> = Object.fromEntries(
  ['apns', 'fcm', 'relay', ...BROWSER_TARGETS].map((target) => [target, MAX_OF_SERVICE]),
)
/** Of these, one in so many may be what goes to many while something urgent waits, so that it comes too. */
const BULK_SHARE = 5
/** Of one account: its devices may be at addresses that don't answer. */
const MAX_OF_ACCOUNT = 4

const isNamed = ({ target }: Attempt): boolean => OF_SERVICES[target] === undefined

/** How many attempts may begin beside those that are running, at targets that have not asked for a pause. */
export function slotsOf(running: readonly Attempt[], paused: ReadonlyMap<string, unknown>): Slots {
  const left = (max: number, taken: readonly unknown[]) => Math.max(0, max - taken.length)
  const named = left(MAX_NAMED, running.filter(isNamed))
  const leftOf = (target: string, taken: readonly unknown[]) =>
    OF_SERVICES[target] === undefined
      ? Math.min(named, left(MAX_OF_TARGET, taken))
      : left(OF_SERVICES[target], taken)
  const byTarget = Map.groupBy(running, ({ target }) => target)
  const byAccount = Map.groupBy(running, ({ accountId }) => accountId)
  return {
    byTarget: {
      ...OF_SERVICES,
      ...Object.fromEntries([...byTarget].map(([target, taken]) => [target, leftOf(target, taken)])),
      ...Object.fromEntries([...paused.keys()].map((target) => [target, 0])),
    },
    ofOtherTarget: Math.min(named, MAX_OF_TARGET),
    named,
    byAccount: Object.fromEntries([...byAccount].map(([id, taken]) => [id, left(MAX_OF_ACCOUNT, taken)])),
    ofOtherAccount: MAX_OF_ACCOUNT,
    ofServices: Object.keys(OF_SERVICES),
    bulk: bulkSlotsOf(running),
  }
}

/** What of the slots is for deliveries to many, as far as they don't have it already. */
function bulkSlotsOf(running: readonly Attempt[]): Slots['bulk'] {
  const bulk = running.filter(({ isBulk }) => isBulk)
  const left = (max: number, taken: readonly unknown[]) =>
    Math.max(0, Math.ceil(max / BULK_SHARE) - taken.length)
  const maxOf = (target: string) => OF_SERVICES[target] ?? MAX_OF_TARGET
  const byTarget = Map.groupBy(bulk, ({ target }) => target)
  return {
    byTarget: {
      ...Object.fromEntries(Object.keys(OF_SERVICES).map((target) => [target, left(maxOf(target), [])])),
      ...Object.fromEntries([...byTarget].map(([target, taken]) => [target, left(maxOf(target), taken)])),
    },
    ofOtherTarget: left(MAX_OF_TARGET, []),
    named: left(MAX_NAMED, bulk.filter(isNamed)),
  }
}
