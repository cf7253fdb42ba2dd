import type { VisibilityRow } from './guest-visibility.queries.ts'

/** Users that become visible and invisible, for guests with identical changes. */
export interface VisibilityUpdate {
  readonly guestIds: readonly number[]
  readonly gainedIds: readonly number[]
  readonly lostIds: readonly number[]
}

/** Users per event: each becomes up to two client events, and a log entry has at most 2,048. */
export const MAX_USERS_PER_EVENT = 400

/** Groups guests with identical changes, and splits them into parts of one event each. */
export function groupVisibilityUpdates(
  gained: readonly VisibilityRow[],
  lost: readonly VisibilityRow[],
): VisibilityUpdate[] {
  const byGuest = new Map<number, { gainedIds: number[]; lostIds: number[] }>()
  const of = (guestId: number) => {
    const known = byGuest.get(guestId) ?? { gainedIds: [], lostIds: [] }
    byGuest.set(guestId, known)
    return known
  }
  for (const { guestId, visibleUserId } of gained) of(guestId).gainedIds.push(visibleUserId)
  for (const { guestId, visibleUserId } of lost) of(guestId).lostIds.push(visibleUserId)

  const together = new Map<string, { guestIds: number[]; gainedIds: number[]; lostIds: number[] }>()
  for (const [guestId, { gainedIds, lostIds }] of byGuest) {
    const ordered = { gainedIds: gainedIds.sort(ascending), lostIds: lostIds.sort(ascending) }
    const key = JSON.stringify(ordered)
    const same = together.get(key)
    if (same) same.guestIds.push(guestId)
    else together.set(key, { guestIds: [guestId], ...ordered })
  }
  return [...together.values()].flatMap(partsOf)
}

const ascending = (a: number, b: number): number => a - b

function partsOf({ guestIds, gainedIds, lostIds }: VisibilityUpdate): VisibilityUpdate[] {
  const parts: VisibilityUpdate[] = []
  for (let at = 0; at < Math.max(gainedIds.length, lostIds.length); at += MAX_USERS_PER_EVENT) {
    const slice = (ids: readonly number[]) => ids.slice(at, at + MAX_USERS_PER_EVENT)
    parts.push({ guestIds, gainedIds: slice(gainedIds), lostIds: slice(lostIds) })
  }
  return parts
}
