import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import { listGroupProjectionsByName, listGroupProjectionsPage } from './group.queries.ts'
import { groupNameKey } from './group-name.rules.ts'

/** Projections of the requested groups, or a page of all groups. */
export const handleListUserGroupProjections: InternalHandler<
  typeof internal.users.listUserGroupProjections,
  Context
> = async (body, { db }) => {
  if ('names' in body) {
    if (!canBeId(body.realm_id)) return { groups: [] }
    const keys = body.names.filter((name) => !name.includes('\0')).map(groupNameKey)
    return { groups: await listGroupProjectionsByName(db, body.realm_id, keys) }
  }
  const afterId = Math.max(0, body.after_group_id)
  if (afterId > 0 && !canBeId(afterId)) return { groups: [] }
  return { groups: await listGroupProjectionsPage(db, { afterId, limit: Math.max(0, body.limit) }) }
}
