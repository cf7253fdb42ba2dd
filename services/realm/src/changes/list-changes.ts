import type { internal } from '@tms/contracts'
import { type InternalHandler, listChangesSince } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { loadChanges } from './load-changes.ts'

/** A follower loads everything rather than more than this. */
const MAX_CHANGES = 500

/** Changes of organizations since the cursor of an earlier answer. */
export const handleListRealmChanges: InternalHandler<
  typeof internal.realm.listRealmChanges,
  Context
> = async ({ since }, { db, prisma }) => {
  const { cursor, changes } = await listChangesSince(db, since, MAX_CHANGES)
  return { cursor, changes: changes && (await loadChanges(prisma, changes)) }
}
