import type { UserProjection } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { removeAllDrafts } from '../drafts/draft.queries.ts'
import { saveUsers } from './projection.queries.ts'

/**
 * Keeps what the users service tells of users, and does at once what follows from it: nobody's drafts stay who has
 * turned their synchronization off. Clients keep their own copies and are told nothing.
 */
export async function keepUsers(tx: Tx, users: readonly UserProjection[]): Promise<void> {
  await saveUsers(tx, users)
  const without = users.filter(({ settings }) => !settings.enable_drafts_synchronization)
  if (without.length === 0) return
  await removeAllDrafts(
    tx,
    without.map(({ user_id }) => user_id),
  )
}
