import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { readIdentityChanges } from './identity-changes.queries.ts'

/** Who must be identified anew; nobody at the first question, whose asker remembers nobody. */
export const handleListIdentityChanges: InternalHandler<
  typeof internal.users.listIdentityChanges,
  Context
> = async ({ since }, { db }) => {
  const { cursor, userIds, realmIds } = await readIdentityChanges(db, since)
  return { cursor, user_ids: userIds, realm_ids: realmIds }
}
