import { allows, canSeeAllUsers, Role, userRules } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { findVisibleUserIds } from './visible-users.queries.ts'

/** The user that views others. */
export interface Viewer {
  readonly realmId: number
  readonly userId: number
  readonly role: number
}

/** Which users of the organization a viewer may see. */
export interface UserVisibility {
  canSee(account: { readonly id: number; readonly isBot: boolean }): boolean
}

/** For everyone but restricted guests. */
export const UNRESTRICTED_VISIBILITY: UserVisibility = { canSee: () => true }

/** For a guest who sees these users, themselves, and all bots. */
export function restrictedVisibility(guestId: number, visibleUserIds: readonly number[]): UserVisibility {
  const visibleIds = new Set(visibleUserIds)
  return {
    canSee: ({ id, isBot }) =>
      allows(userRules.see, {
        role: Role.guest,
        isRestricted: true,
        isSelf: id === guestId,
        isBot,
        isConnected: visibleIds.has(id),
      }),
  }
}

/** Needs a query only for guests. */
export async function findVisibility(
  db: Queryable,
  { realmId, userId, role }: Viewer,
): Promise<UserVisibility> {
  const visibleUserIds = canSeeAllUsers(role, true) ? null : await findVisibleUserIds(db, realmId, userId)
  return visibleUserIds === null ? UNRESTRICTED_VISIBILITY : restrictedVisibility(userId, visibleUserIds)
}

/** Whether the viewer may see a user. */
export async function canSeeUser(
  db: Queryable,
  viewer: Viewer,
  account: { readonly id: number; readonly isBot: boolean },
): Promise<boolean> {
  return (await findVisibility(db, viewer)).canSee(account)
}
