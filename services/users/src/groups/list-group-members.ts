import { badRequest, type endpoints, type UserGroup } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { groupsWithin } from './group-graph.rules.ts'
import { checkMayUseGroups, readGroups } from './list-groups.ts'

/** Members of a group by ID, including those of its subgroups unless only direct ones are requested. */
export const handleListUserGroupMembers: Handler<
  typeof endpoints.users.listUserGroupMembers,
  Context
> = async ({ input, caller, context }) => {
  const loaded = await loadGroup(context, caller, input.user_group_id)
  return { members: membersOf(loaded, input.direct_member_only) }
}

/** Whether a user is in a group. Throws BAD_REQUEST for an unknown user. */
export const handleIsUserGroupMember: Handler<typeof endpoints.users.isUserGroupMember, Context> = async ({
  input,
  caller,
  context,
}) => {
  const loaded = await loadGroup(context, caller, input.user_group_id)
  const account = await findAccount(context.prisma, caller.realmId, input.user_id)
  if (!account) throw badRequest('No such user')
  return { is_user_group_member: membersOf(loaded, input.direct_member_only).includes(account.id) }
}

/** Subgroups of a group by ID, at any depth unless only direct ones are requested. */
export const handleListUserGroupSubgroups: Handler<
  typeof endpoints.users.listUserGroupSubgroups,
  Context
> = async ({ input, caller, context }) => {
  const { group, groups } = await loadGroup(context, caller, input.user_group_id)
  if (input.direct_subgroup_only) return { subgroups: group.direct_subgroup_ids }
  return { subgroups: [...groupsWithin(groups, [group.id])].sort((a, b) => a - b) }
}

interface LoadedGroup {
  readonly group: UserGroup
  readonly groups: readonly UserGroup[]
}

/** Throws BAD_REQUEST if the caller may not read groups, and for an unknown group. */
async function loadGroup(context: Context, caller: Caller, groupId: number): Promise<LoadedGroup> {
  checkMayUseGroups(caller)
  const groups = await readGroups(context, caller.realmId)
  const group = groups.find(({ id }) => id === groupId)
  if (!group) throw badRequest('No such user group')
  return { group, groups }
}

function membersOf({ group, groups }: LoadedGroup, directOnly = false): number[] {
  if (directOnly) return group.members
  const within = groupsWithin(groups, [group.id])
  const members = groups.filter(({ id }) => within.has(id)).flatMap((one) => one.members)
  return [...new Set([...group.members, ...members])].sort((a, b) => a - b)
}
