import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { checkFilter } from './audit-filter.ts'
import { listEntries } from './entries.queries.ts'

const DEFAULT_LIMIT = 100

/** Entries of the caller's organization, the newest first. Throws BAD_REQUEST. */
export const handleListAuditLog: Handler<typeof endpoints.realm.listAuditLog, Context> = async ({
  input: { before_id: beforeId, limit = DEFAULT_LIMIT, ...filter },
  caller: { realmId },
  context,
}) => {
  checkFilter(filter)
  // One more says whether there is any.
  const found = await listEntries(context.db, realmId, filter, { beforeId, limit: limit + 1 })
  return { entries: found.slice(0, limit), found_oldest: found.length <= limit }
}
