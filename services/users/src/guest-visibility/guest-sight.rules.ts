import type { VisibilityRow } from './guest-sight.queries.ts'

/** What is another now for guests, who are told together because it is the same for all of them. */
export interface Telling {
  readonly guestIds: readonly number[]
  readonly gainedIds: readonly number[]
  readonly lostIds: readonly number[]
}

/** Records in one event: each becomes one of two client events, of which an entry of the log has at most 2,048. */
export const MAX_TOLD = 400

/** What to tell whom, in parts that fit into an event each. */
export function tellingsOf(gained: readonly VisibilityRow[], lost: readonly VisibilityRow[]): Telling[] {
  const byGuest = new Map<number, { gainedIds: number[]; lostIds: number[] }>()
  const of = (guestId: number) => {
    const known = byGuest.get(guestId) ?? { gainedIds: [], lostIds: [] }
    byGuest.set(guestId, known)
    return known
  }
  for (const { guestId, seenId } of gained) of(guestId).gainedIds.push(seenId)
  for (const { guestId, seenId } of lost) of(guestId).lostIds.push(seenId)

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

function partsOf({ guestIds, gainedIds, lostIds }: Telling): Telling[] {
  const parts: Telling[] = []
  for (let at = 0; at < Math.max(gainedIds.length, lostIds.length); at += MAX_TOLD) {
    const slice = (ids: readonly number[]) => ids.slice(at, at + MAX_TOLD)
    parts.push({ guestIds, gainedIds: slice(gainedIds), lostIds: slice(lostIds) })
  }
  return parts
}
