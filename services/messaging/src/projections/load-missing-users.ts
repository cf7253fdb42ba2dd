import type { InternalClient, Queryable } from '@tms/service-kit'
import { saveGroups } from './group-projection.queries.ts'
import { saveUsers } from './projection.queries.ts'
import { readGroupPages, readUserPages } from './projection-pages.ts'

/**
 * Loads all users of an organization and its custom groups from the users service. Throws SERVICE_UNAVAILABLE if it
 * does not answer.
 */
export async function loadMissingUsers(db: Queryable, call: InternalClient, realmId: number): Promise<void> {
  for await (const users of readUserPages(call, realmId)) await saveUsers(db, users)
  for await (const groups of readGroupPages(call)) {
    await saveGroups(
      db,
      groups.filter(({ realm_id }) => realm_id === realmId),
    )
  }
}
