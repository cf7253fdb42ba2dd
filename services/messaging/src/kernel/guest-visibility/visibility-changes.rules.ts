import type { GuestVisibilityChange } from '@tms/contracts'

/** Pairs of guest and user in one change: what the users service applies in one transaction. */
export const MAX_PAIRS = 20_000

function* chunks(ids: readonly number[], size: number): Generator<number[]> {
  for (let at = 0; at < ids.length; at += size) yield ids.slice(at, at + size)
}

/** Changes after which each of these guests sees each of these users, in parts that aren't too large. */
export function gainsOf(guestIds: readonly number[], userIds: readonly number[]): GuestVisibilityChange[] {
  if (guestIds.length === 0 || userIds.length === 0) return []
  const changes: GuestVisibilityChange[] = []
  for (const user_ids of chunks(userIds, MAX_PAIRS)) {
    const guestsAtOnce = Math.max(1, Math.floor(MAX_PAIRS / user_ids.length))
    for (const guest_ids of chunks(guestIds, guestsAtOnce)) {
      changes.push({ kind: 'gained', guest_ids, user_ids })
    }
  }
  return changes
}

/** Changes after which a guest no longer sees these users. */
export function lossesOf(guestId: number, userIds: readonly number[]): GuestVisibilityChange[] {
  return [...chunks(userIds, MAX_PAIRS)].map((user_ids) => ({ kind: 'lost', guest_id: guestId, user_ids }))
}

/** Changes after which a guest sees these users and nobody else. */
export function replacementsOf(guestId: number, userIds: readonly number[]): GuestVisibilityChange[] {
  const [first = [], ...more] = [...chunks(userIds, MAX_PAIRS)]
  return [
    { kind: 'whole', guest_id: guestId, user_ids: first },
    ...more.flatMap((user_ids) => gainsOf([guestId], user_ids)),
  ]
}
