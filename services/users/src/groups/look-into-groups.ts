import { badRequest, type endpoints, type UserGroup } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { findPerson } from '../accounts/account.queries.ts'
import type { Context } from '../context.ts'
import { groupsWithin } from './group-graph.rules.ts'
import { checkMayUseGroups, listGroups } from './list-groups.ts'

/** The members of a group, by ID: with those of the groups within it, unless only direct ones are asked for. */
export const handleListUserGroupMembers: Handler<
  typeof endpoints.users.listUserGroupMembers,
  Context
> = async ({ input, caller, context }) => {
  const opened = await openGroup(context, caller, input.user_group_id)
  return { members: membersOf(opened, input.direct_member_only) }
}

/** Whether someone is in a group. Throws BAD_REQUEST for an ID that nobody in the organization has. */
export const handleIsUserGroupMember: Handler<typeof endpoints.users.isUserGroupMember, Context> = async ({
  input,
  caller,
  context,
}) => {
  const opened = await openGroup(context, caller, input.user_group_id)
  const person = await findPerson(context.prisma, caller.realmId, input.user_id)
  if (!person) throw badRequest('No such user')
  return { is_user_group_member: membersOf(opened, input.direct_member_only).includes(person.id) }
}

/** The groups within a group, by ID, at any depth unless only direct ones are asked for. */
export const handleListUserGroupSubgroups: Handler<
  typeof endpoints.users.listUserGroupSubgroups,
  Context
> = async ({ input, caller, context }) => {
  const { group, groups } = await openGroup(context, caller, input.user_group_id)
  if (input.direct_subgroup_only) return { subgroups: group.direct_subgroup_ids }
  return { subgroups: [...groupsWithin(groups, [group.id])].sort((a, b) => a - b) }
}

interface Opened {
  readonly group: UserGroup
  readonly groups: readonly UserGroup[]
}

/** Throws BAD_REQUEST for who may not look, and for an ID that no group of the organization has. */
async function openGroup(context: Context, caller: Caller, groupId: number): Promise<Opened> {
  checkMayUseGroups(caller)
  const groups = await listGroups(context.db, caller.realmId)
  const group = groups.find(({ id }) => id === groupId)
  if (!group) throw badRequest('No such user group')
  return { group, groups }
}

function membersOf({ group, groups }: Opened, directOnly = false): number[] {
  if (directOnly) return group.members
  const within = groupsWithin(groups, [group.id])
  const members = groups.filter(({ id }) => within.has(id)).flatMap((one) => one.members)
  return [...new Set([...group.members, ...members])].sort((a, b) => a - b)
}
