import {
  badRequest,
  domainEvents,
  type endpoints,
  type GroupPermissionValues,
  groupPermissionNames,
  type PayloadOf,
} from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { checkGroupNameIsFree } from './create-group.ts'
import { type Editing, editGroups, getEditable } from './editing.ts'
import { type Group, updateGroupRow } from './group.queries.ts'
import { checkGroupDescription, checkGroupName, groupNameKey } from './group-name.rules.ts'
import { readChangedPermissions } from './group-permission.ts'
import { toGroupProjection } from './group-record.ts'

type Input = Parameters<Handler<typeof endpoints.users.updateUserGroup, Context>>[0]['input']
type Texts = Pick<PayloadOf<typeof domainEvents.users.userGroupUpdated>['data'], 'name' | 'description'>

/** Changes name, description and permissions of a group. Publishes only what changed. */
export const handleUpdateUserGroup: Handler<typeof endpoints.users.updateUserGroup, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  if (
    ['name' as const, 'description' as const, ...groupPermissionNames].every(
      (name) => input[name] === undefined,
    )
  ) {
    throw badRequest("Nothing to change: give 'name', 'description' or a permission")
  }
  await editGroups(context, caller, async (editing) => {
    const group = getEditable(editing, input.user_group_id, ['can_manage_group'])
    const permissions = await readChangedPermissions(editing, input, group.permissions)
    const { name, description } = changedTextsOf(editing, group, input)
    const data = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...permissions,
    }
    if (Object.keys(data).length === 0) return
    await saveGroup(editing.tx, group, data, requestId)
  })
  return {}
}

/** What the changed properties were. */
function formerOf(
  group: Group,
  data: object,
): PayloadOf<typeof domainEvents.users.userGroupUpdated>['before'] {
  const { name, description, permissions } = group
  const former = { name, description, ...permissions }
  return Object.fromEntries(Object.entries(former).filter(([property]) => property in data))
}

/** Stores and publishes changed properties of a group, under the groups' lock. */
export async function saveGroup(
  tx: PrismaTx,
  group: Group,
  data: Texts & Partial<GroupPermissionValues>,
  requestId: string,
): Promise<void> {
  const { name, description, ...permissions } = data
  const after = await updateGroupRow(tx, group.id, {
    ...(name === undefined ? {} : { name, nameKey: groupNameKey(name) }),
    ...(description === undefined ? {} : { description }),
    permissions: { ...group.permissions, ...permissions },
  })
  await publish(
    tx,
    domainEvents.users.userGroupUpdated,
    { group_id: group.id, data, before: formerOf(group, data), projection: toGroupProjection(after) },
    { realmId: group.realmId, requestId },
  )
}

function changedTextsOf(editing: Editing, group: Group, input: Input): Texts {
  const data: Texts = {}
  if (input.name !== undefined) {
    const name = checkGroupName(input.name)
    const others = editing.groups.filter(({ id }) => id !== group.id)
    checkGroupNameIsFree(others, name)
    if (name !== group.name) data.name = name
  }
  if (input.description !== undefined) {
    const description = checkGroupDescription(input.description)
    if (description !== group.description) data.description = description
  }
  return data
}
