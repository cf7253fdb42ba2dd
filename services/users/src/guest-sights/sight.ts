import { Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { findSeenIds } from './guest-sight.queries.ts'

/** For whom it is asked who may be seen. */
export interface Viewer {
  readonly realmId: number
  readonly userId: number
  readonly role: number
}

/** Whom someone sees of an organization's people. */
export interface Sight {
  sees(person: { readonly id: number; readonly isBot: boolean }): boolean
}

/** Of everyone who isn't such a guest. */
export const EVERYONE: Sight = { sees: () => true }

/** The sight of a guest who sees these people, themselves, and all bots. */
export function limitedSight(guestId: number, seenIds: readonly number[]): Sight {
  const seen = new Set(seenIds)
  return { sees: ({ id, isBot }) => isBot || id === guestId || seen.has(id) }
}

/** Whom someone sees. Costs a query for guests, and nothing for everyone else. */
export async function findSight(db: Queryable, { realmId, userId, role }: Viewer): Promise<Sight> {
  const seenIds = role === Role.guest ? await findSeenIds(db, realmId, userId) : null
  return seenIds === null ? EVERYONE : limitedSight(userId, seenIds)
}

/** Whether someone sees a person. */
export async function canSee(
  db: Queryable,
  viewer: Viewer,
  person: { readonly id: number; readonly isBot: boolean },
): Promise<boolean> {
  return (await findSight(db, viewer)).sees(person)
}
