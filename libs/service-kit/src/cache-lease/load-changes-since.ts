import type { Queryable } from '../postgres/transaction.ts'
import { listChangesSince, type RecentChange, type RecentChangesPage } from './recent-changes.queries.ts'

/** As `listChangesSince`, with the current state of what has changed. */
export async function loadChangesSince<Loaded>(
  db: Queryable,
  { since, limit }: { readonly since: string | null; readonly limit: number },
  load: (changes: readonly RecentChange[]) => Promise<Loaded>,
): Promise<RecentChangesPage<Loaded>> {
  const { cursor, changes } = await listChangesSince(db, since, limit)
  return { cursor, changes: changes && (await load(changes)) }
}
