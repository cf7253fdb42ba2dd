import type { KnownUser, ProjectionReader } from './projection-reader.ts'

/** The owner of a bot; null if it has none, or the owner is deactivated. */
export async function findActiveOwner(
  projections: Pick<ProjectionReader, 'findUsersByIds'>,
  { realm_id, bot_owner_id }: Pick<KnownUser, 'realm_id' | 'bot_owner_id'>,
): Promise<KnownUser | null> {
  if (bot_owner_id === null) return null
  const owner = (await projections.findUsersByIds(realm_id, [bot_owner_id])).get(bot_owner_id)
  return owner?.is_active ? owner : null
}
