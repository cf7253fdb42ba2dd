import type { RealmFacts } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { openImports } from '../exports/unopened-import.queries.ts'
import { saveRealms } from './projection.queries.ts'

/**
 * Keeps what the realm service tells of organizations, and does at once what follows from it: one that was imported and
 * is open now begins to send what was scheduled in it.
 */
export async function keepRealms(db: Queryable, realms: readonly RealmFacts[]): Promise<void> {
  await saveRealms(db, realms)
  await openImports(
    db,
    realms.filter(({ is_active }) => is_active).map(({ realm_id }) => realm_id),
  )
}
