import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Cause, Handler } from '@tms/service-kit'
import { getSystemBot } from '../accounts/ensure-system-bot.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { changeSubgroups, permissionsFor } from './change-subgroups.ts'
import { checkUserIds, type Editing, editGroups, getEditableActive, sorted } from './editing.ts'
import { type Group, updateGroupRow } from './group.queries.ts'
import type { EditPermission } from './group-access.rules.ts'
import { toGroupProjection } from './group-record.ts'

/** Adds and removes members and subgroups of a group, all or nothing. Throws BAD_REQUEST. */
export const handleUpdateUserGroupMembers: Handler<
  typeof endpoints.users.updateUserGroupMembers,
  Context
> = async ({ input, caller, context, requestId }) => {
  const members = { add: input.add ?? [], remove: input.delete ?? [] }
  const subgroups = { add: input.add_subgroups ?? [], remove: input.delete_subgroups ?? [] }
  const changesMembers = members.add.length + members.remove.length > 0
  const changesSubgroups = subgroups.add.length + subgroups.remove.length > 0
  if (!changesMembers && !changesSubgroups) {
    throw badRequest("Nothing to change: 'add', 'delete', 'add_subgroups' and 'delete_subgroups' are empty")
  }
  // The system bot notifies these users, so consumers must know it before the event.
  if (changesMembers) await getSystemBot(context, caller.realmId, requestId)
  await editGroups(context, caller, async (editing) => {
    const group = getEditableActive(editing, input.user_group_id, [
      ...permissionsForMembers(members, caller.userId),
      ...permissionsFor(subgroups),
    ])
    const cause = { realmId: group.realmId, requestId }
    if (changesMembers) await changeMembers(editing, group, members, cause)
    if (changesSubgroups) await changeSubgroups(editing, group, subgroups, cause)
  })
  return {}
}

interface Change {
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/** What a change of members needs: users join and leave by other permissions than those who add and remove others. */
function permissionsForMembers({ add, remove }: Change, userId: number): EditPermission[] {
  const needed: EditPermission[] = []
  if (add.includes(userId)) needed.push('can_join_group')
  if (add.some((id) => id !== userId)) needed.push('can_add_members_group')
  if (remove.includes(userId)) needed.push('can_leave_group')
  if (remove.some((id) => id !== userId)) needed.push('can_remove_members_group')
  return needed
}

async function changeMembers(
  editing: Editing,
  group: Group,
  { add, remove }: Change,
  cause: Cause,
): Promise<void> {
  const present = new Set(group.memberIds)
  const added = await checkUserIds(editing, add)
  const removed = await checkUserIds(editing, remove)
  const known = added.find((id) => present.has(id))
  if (known !== undefined) throw badRequest(`User ${known} is a member of this group already`)
  const missing = removed.find((id) => !present.has(id))
  if (missing !== undefined) throw badRequest(`User ${missing} is no member of this group`)

  for (const id of removed) present.delete(id)
  const memberIds = sorted([...present, ...added])
  const after = await updateGroupRow(editing.tx, group.id, { memberIds })
  await publish(
    editing.tx,
    domainEvents.users.userGroupMembersChanged,
    {
      group_id: group.id,
      added_user_ids: added,
      removed_user_ids: removed,
      actor_id: editing.editor.userId,
      projection: toGroupProjection(after),
    },
    cause,
  )
}
