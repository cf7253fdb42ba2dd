import type { internal } from '@tms/contracts'
import { type InternalHandler, listChangesSince } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { loadChanges } from './load-changes.ts'

/** Who follows loads everything rather than more than this. */
const MAX_CHANGES = 2_000

/** What changed of accounts and groups since the cursor of an earlier answer. */
export const handleListUsersChanges: InternalHandler<
  typeof internal.users.listUsersChanges,
  Context
> = async ({ since }, { db }) => {
  const { cursor, changes } = await listChangesSince(db, since, MAX_CHANGES)
  return { cursor, changes: changes && (await loadChanges(db, changes)) }
}
