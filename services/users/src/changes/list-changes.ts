import type { internal } from '@tms/contracts'
import { type InternalHandler, loadChangesSince } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { loadChanges } from './load-changes.ts'

/** Beyond this, consumers reload everything. */
const MAX_CHANGES = 2_000

/** Changes of accounts and groups since a cursor. */
export const handleListUsersChanges: InternalHandler<typeof internal.users.listUsersChanges, Context> = (
  { since },
  { db },
) => loadChangesSince(db, { since, limit: MAX_CHANGES }, (changes) => loadChanges(db, changes))
