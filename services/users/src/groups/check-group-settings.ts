import { badRequest, groupSettingParts, type internal, isCustomGroup } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import { listActiveUserIds } from './group.queries.ts'
import { listGroupsForPermissions } from './group-reservation.ts'
import { systemIds } from './system-groups.rules.ts'

/**
 * Throws BAD_REQUEST for the first user who isn't an active one of the organization, and for the first such group; also for a group
 * whose deactivation has begun. It takes no lock that a caller with locks of its own might wait for in a circle.
 */
export const handleCheckGroupSettings: InternalHandler<
  typeof internal.users.checkGroupSettings,
  Context
> = async ({ realm_id, values }, context) => {
  const { db } = context
  const parts = values.map(groupSettingParts)
  const userIds = parts.flatMap(({ direct_members }) => direct_members)
  const groupIds = parts
    .flatMap(({ direct_subgroups }) => direct_subgroups)
    .filter((id) => !systemIds.has(id))
  const custom = groupIds.filter((id) => isCustomGroup(id) && canBeId(id))
  const groups = new Set(custom.length > 0 ? await listGroupsForPermissions(context, realm_id, custom) : [])
  const unknownGroup = groupIds.find((id) => !groups.has(id))
  if (unknownGroup !== undefined) throw badRequest(`Invalid user group ID: ${unknownGroup}`)
  if (userIds.length === 0) return {}
  const users = new Set(await listActiveUserIds(db, realm_id, userIds.filter(canBeId)))
  const unknownUser = userIds.find((id) => !users.has(id))
  if (unknownUser !== undefined) throw badRequest(`Invalid user ID: ${unknownUser}`)
  return {}
}
