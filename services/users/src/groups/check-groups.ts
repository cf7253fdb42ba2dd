import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import { listKnownGroupIds } from './group.queries.ts'

/** Throws BAD_REQUEST for the first ID that isn't a custom group of the organization. */
export const handleCheckUserGroups: InternalHandler<typeof internal.users.checkUserGroups, Context> = async (
  { realm_id, group_ids },
  { db },
) => {
  const found = new Set(await listKnownGroupIds(db, realm_id, group_ids.filter(canBeId)))
  const unknown = group_ids.find((id) => !found.has(id))
  if (unknown !== undefined) throw badRequest(`Invalid user group ID: ${unknown}`)
  return {}
}
