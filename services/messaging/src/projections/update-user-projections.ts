import type { UserProjection } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { deleteAllDrafts } from '../drafts/draft.queries.ts'
import { saveUsers } from './projection.queries.ts'

/**
 * Saves users, and deletes the drafts of users who turned off their synchronization. No event is published: clients
 * keep their own copies.
 */
export async function updateUserProjections(tx: Tx, users: readonly UserProjection[]): Promise<void> {
  await saveUsers(tx, users)
  const without = users.filter(({ settings }) => !settings.enable_drafts_synchronization)
  if (without.length === 0) return
  await deleteAllDrafts(
    tx,
    without.map(({ user_id }) => user_id),
  )
}
