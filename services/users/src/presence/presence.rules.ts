import { type clientPresence, type LegacyPresence, type ModernPresence, presenceTiming } from '@tms/contracts'
import type { z } from 'zod'

/** When someone was last active, and last connected, in UNIX seconds. */
export interface Seen {
  readonly userId: number
  /** Null for who was never active. */
  readonly activeAt: number | null
  readonly connectedAt: number
}

/** What answers about presence take of an account. `joinedAt` in UNIX seconds. */
export interface PresentPerson {
  readonly id: number
  readonly email: string
  readonly joinedAt: number
}

/** Presence is told of who was seen in the last two weeks. */
export const keptSeconds = 14 * 86_400

/** Pings of idle clients come between those that say that someone is active; so long these may be apart. */
const ACTIVE_FOR_SECONDS = 70
/** Clients of old tell kinds of clients apart; all are this one. */
const CLIENT = 'website'

/**
 * Who was never active was so last when they joined, but never after they were connected: who has just joined and doesn't
 * show presence would read as active.
 */
export function modernPresenceOf(
  { activeAt, connectedAt }: Seen,
  { joinedAt }: PresentPerson,
): ModernPresence {
  return { active_timestamp: activeAt ?? Math.min(joinedAt, connectedAt), idle_timestamp: connectedAt }
}

/** Presence in the one client that everyone has. */
export function clientPresenceOf({
  activeAt,
  connectedAt,
}: Pick<Seen, 'activeAt' | 'connectedAt'>): z.output<typeof clientPresence> {
  const isActive = activeAt !== null && activeAt + ACTIVE_FOR_SECONDS >= connectedAt
  return {
    client: CLIENT,
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? activeAt : connectedAt,
    pushable: false,
  }
}

export function legacyPresenceOf(seen: Seen): LegacyPresence {
  const website = clientPresenceOf(seen)
  const { pushable: _, ...aggregated } = website
  return { aggregated, website }
}

/** One person's presence as it is reported of them alone: who was not seen for a while is offline. */
export function reportedPresenceOf(
  seen: Seen,
  now: number,
): Record<'aggregated' | 'website', { status: 'active' | 'idle' | 'offline'; timestamp: number }> {
  const { status, timestamp } = clientPresenceOf(seen)
  const isOffline = now - timestamp > presenceTiming.offlineThresholdSeconds
  return {
    aggregated: { status: isOffline ? 'offline' : status, timestamp },
    website: { status, timestamp },
  }
}

/** Whether someone was seen so lately that it is told. */
export function isKept({ connectedAt }: Seen, now: number): boolean {
  return now - connectedAt <= keptSeconds
}

/** Presence of everyone who was seen and has an account that is in use. */
export function presencesOf<T>(
  seen: readonly Seen[],
  people: ReadonlyMap<number, PresentPerson>,
  show: (seen: Seen, person: PresentPerson) => readonly [key: string, T],
): Record<string, T> {
  return Object.fromEntries(
    seen.flatMap((one) => {
      const person = people.get(one.userId)
      return person ? [show(one, person)] : []
    }),
  )
}

export const showModern = (seen: Seen, person: PresentPerson): readonly [string, ModernPresence] => [
  String(person.id),
  modernPresenceOf(seen, person),
]
export const showLegacy = (seen: Seen, person: PresentPerson): readonly [string, LegacyPresence] => [
  person.email,
  legacyPresenceOf(seen),
]
