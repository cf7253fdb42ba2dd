import type { internal } from '@tms/contracts'
import { type InternalHandler, loadChangesSince } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { loadChanges } from './load-changes.ts'

/** A follower loads everything rather than more than this. */
const MAX_CHANGES = 500

/** Changes of organizations since the cursor of an earlier answer. */
export const handleListRealmChanges: InternalHandler<typeof internal.realm.listRealmChanges, Context> = (
  { since },
  { db, prisma },
) => loadChangesSince(db, { since, limit: MAX_CHANGES }, (changes) => loadChanges(prisma, changes))
