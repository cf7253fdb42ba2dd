import type { InternalClient, Queryable } from '@tms/service-kit'
import { saveGroups } from '../groups/known-group.queries.ts'
import { saveUsers } from './projection.queries.ts'
import { pagesOfGroups, pagesOfUsers } from './projection-pages.ts'

/**
 * Asks the users service for everyone in an organization and the groups that they made, and keeps them. Throws
 * SERVICE_UNAVAILABLE if it can't be asked.
 */
export async function loadMissingUsers(db: Queryable, call: InternalClient, realmId: number): Promise<void> {
  for await (const users of pagesOfUsers(call, realmId)) await saveUsers(db, users)
  for await (const groups of pagesOfGroups(call)) {
    await saveGroups(
      db,
      groups.filter(({ realm_id }) => realm_id === realmId),
    )
  }
}
