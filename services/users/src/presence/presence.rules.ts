import { type clientPresence, type LegacyPresence, type ModernPresence, presenceTiming } from '@tms/contracts'
import type { z } from 'zod'
import type { LastSeen } from '../kernel/presence/seen-users.ts'

const DAY_SECONDS = 86_400
/** Older presence is deleted: the most that a client can ask for. */
export const retentionSeconds = 365 * DAY_SECONDS
/** Older presence isn't returned to clients that don't ask for it. */
export const defaultHistorySeconds = presenceTiming.defaultHistoryDays * DAY_SECONDS

/** The length of the history that a client asks for in days. */
export function historySecondsOf(days: number = presenceTiming.defaultHistoryDays): number {
  return Math.min(Math.max(days, 0) * DAY_SECONDS, retentionSeconds)
}

/** Clients that are idle ping between those that are active; a user counts as active across this gap. */
const ACTIVE_FOR_SECONDS = 70
/** Legacy clients distinguish kinds of clients; here all are this one. */
const CLIENT = 'website'

/**
 * A user who was never active counts as active when they joined, but not after the last connection: else a new user
 * who hides presence would read as active.
 */
export function modernPresenceOf(
  { activeAt, connectedAt }: LastSeen,
  { joinedAt }: { readonly joinedAt: number },
): ModernPresence {
  return { active_timestamp: activeAt ?? Math.min(joinedAt, connectedAt), idle_timestamp: connectedAt }
}

/** Presence under the single client name. */
export function clientPresenceOf({
  activeAt,
  connectedAt,
}: Pick<LastSeen, 'activeAt' | 'connectedAt'>): z.output<typeof clientPresence> {
  const isActive = activeAt !== null && activeAt + ACTIVE_FOR_SECONDS >= connectedAt
  return {
    client: CLIENT,
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? activeAt : connectedAt,
    pushable: false,
  }
}

export function legacyPresenceOf(lastSeen: LastSeen): LegacyPresence {
  const website = clientPresenceOf(lastSeen)
  const { pushable: _, ...aggregated } = website
  return { aggregated, website }
}

/** Presence of a single user: offline if not seen for a while. */
export function reportedPresenceOf(
  lastSeen: LastSeen,
  now: number,
): Record<'aggregated' | 'website', { status: 'active' | 'idle' | 'offline'; timestamp: number }> {
  const { status, timestamp } = clientPresenceOf(lastSeen)
  const isOffline = now - timestamp > presenceTiming.offlineThresholdSeconds
  return {
    aggregated: { status: isOffline ? 'offline' : status, timestamp },
    website: { status, timestamp },
  }
}

/** Whether the user was seen lately enough for clients that ask for no longer history. */
export function isRecent({ connectedAt }: LastSeen, now: number): boolean {
  return now - connectedAt <= defaultHistorySeconds
}
