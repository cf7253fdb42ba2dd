import {
  badRequest,
  customGroupsOf,
  domainEvents,
  type endpoints,
  groupPermissionNames,
  internal,
  realmPermissionNames,
} from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { publishSubgroups } from './change-subgroups.ts'
import { type Editing, editGroups, getEditable } from './editing.ts'
import { deleteGroupRow, updateGroupRow } from './group.queries.ts'
import { isGrantedTo } from './group-graph.rules.ts'
import { toGroupProjection } from './group-record.ts'

/**
 * Deletes a group and removes it from groups that contain it. Throws BAD_REQUEST if a permission names it: nobody
 * would have that permission afterwards.
 */
export const handleRemoveUserGroup: Handler<typeof endpoints.users.removeUserGroup, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  // Checks permission first: only users who may remove the group learn what uses it.
  const getManaged = (editing: Editing) => getEditable(editing, input.user_group_id, ['can_manage_group'])
  await editGroups(context, caller, async (editing) => getManaged(editing))
  await checkIsUnused(context, caller.realmId, input.user_group_id)
  await editGroups(context, caller, async (editing) => {
    const group = getManaged(editing)
    const others = editing.groups.filter(({ id }) => id !== group.id)
    const granting = others.find(({ permissions }) =>
      groupPermissionNames.some((name) => isGrantedTo(permissions[name], group.id)),
    )
    if (granting) {
      throw badRequest(
        `The group has a permission on the group '${granting.name}': change that permission first`,
      )
    }

    const cause = { realmId: group.realmId, requestId }
    for (const container of others.filter(({ subgroupIds }) => subgroupIds.includes(group.id))) {
      const subgroupIds = container.subgroupIds.filter((id) => id !== group.id)
      const after = await updateGroupRow(editing.tx, container.id, { subgroupIds })
      await publishSubgroups(editing.tx, after, { added: [], removed: [group.id] }, cause)
    }
    await deleteGroupRow(editing.tx, group.id)
    const projection = { ...toGroupProjection(group), is_deleted: true, version: group.version + 1 }
    await publish(editing.tx, domainEvents.users.userGroupRemoved, { group_id: group.id, projection }, cause)
  })
  return {}
}

/**
 * Throws BAD_REQUEST if a setting of the organization or of a channel names the group. Asks their owners, because a
 * projection may be a second old. A setting that names the group later allows nobody until it is changed.
 */
async function checkIsUnused(
  { call }: Pick<Context, 'call'>,
  realmId: number,
  groupId: number,
): Promise<void> {
  const { realms } = await call(internal.realm.listRealmProjections, { realm_ids: [realmId] })
  const [realm] = realms
  const setting = realmPermissionNames.find((name) => realm && customGroupsOf(realm[name]).includes(groupId))
  if (setting) throw badRequest(`The group is in use by the setting '${setting}': choose another there first`)
  await call(internal.messaging.checkGroupIsUnused, { realm_id: realmId, group_id: groupId })
}
