import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { getSystemBot } from '../accounts/ensure-system-bot.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { checkUserIds, editGroups, getEditable, sorted } from './editing.ts'
import { updateGroupRow } from './group.queries.ts'
import { toGroupProjection } from './group-record.ts'

/** Adds and removes members of a group, all or nothing. Throws BAD_REQUEST. */
export const handleUpdateUserGroupMembers: Handler<
  typeof endpoints.users.updateUserGroupMembers,
  Context
> = async ({ input, caller, context, requestId }) => {
  const { add = [], delete: remove = [] } = input
  if (add.length === 0 && remove.length === 0)
    throw badRequest("Nothing to change: 'add' and 'delete' are empty")
  // The system bot notifies these users, so consumers must know it before the event.
  await getSystemBot(context, caller.realmId, requestId)
  await editGroups(context, caller, async (editing) => {
    const group = getEditable(editing, input.user_group_id)
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
        actor_id: caller.userId,
        projection: toGroupProjection(after),
      },
      { realmId: group.realmId, requestId },
    )
  })
  return {}
}
