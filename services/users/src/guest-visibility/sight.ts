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
export interface UserVisibility {
  sees(person: { readonly id: number; readonly isBot: boolean }): boolean
}

/** Of everyone who isn't such a guest. */
export const EVERYONE: UserVisibility = { sees: () => true }

/** The sight of a guest who sees these people, themselves, and all bots. */
export function restrictedVisibility(guestId: number, seenIds: readonly number[]): UserVisibility {
  const seen = new Set(seenIds)
  return { sees: ({ id, isBot }) => isBot || id === guestId || seen.has(id) }
}

/** Whom someone sees. Costs a query for guests, and nothing for everyone else. */
export async function findVisibility(
  db: Queryable,
  { realmId, userId, role }: Viewer,
): Promise<UserVisibility> {
  const seenIds = role === Role.guest ? await findSeenIds(db, realmId, userId) : null
  return seenIds === null ? EVERYONE : restrictedVisibility(userId, seenIds)
}

/** Whether someone sees a person. */
export async function canSee(
  db: Queryable,
  viewer: Viewer,
  person: { readonly id: number; readonly isBot: boolean },
): Promise<boolean> {
  return (await findVisibility(db, viewer)).sees(person)
}
