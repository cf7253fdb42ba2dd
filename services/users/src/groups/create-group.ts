import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { checkGroupIds, checkUserIds, editGroups } from './editing.ts'
import { createGroupRow, type Group } from './group.queries.ts'
import { checkGroupDescription, checkGroupName, groupNameKey } from './group-name.rules.ts'
import { readInitialPermissions } from './group-permission.ts'
import { toGroupProjection, toUserGroup } from './group-record.ts'

/** Creates a group. Throws BAD_REQUEST. If two requests want one name, one succeeds. */
export const handleCreateUserGroup: Handler<typeof endpoints.users.createUserGroup, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const name = checkGroupName(input.name)
  const description = checkGroupDescription(input.description)
  const group = await editGroups(context, caller, async (editing) => {
    if (!editing.mayCreate) throw badRequest('Insufficient permission')
    checkGroupNameIsFree(editing.groups, name)
    return createGroup(
      editing.tx,
      {
        ...{ realmId: caller.realmId, name, description, creatorId: caller.userId, createdAt: context.now() },
        memberIds: await checkUserIds(editing, input.members),
        subgroupIds: checkGroupIds(editing, input.subgroups ?? []),
        permissions: await readInitialPermissions(editing, input),
      },
      requestId,
    )
  })
  return { group_id: group.id }
}

type NewGroup = Omit<Group, 'id' | 'version' | 'nameKey' | 'isDeactivated'>

/** Creates a group and publishes it, under the groups' lock. The name must be free. */
export async function createGroup(tx: PrismaTx, group: NewGroup, requestId: string): Promise<Group> {
  const row = { ...group, nameKey: groupNameKey(group.name), isDeactivated: false }
  const created = await createGroupRow(tx, row)
  const payload = { group: toUserGroup(created), projection: toGroupProjection(created) }
  await publish(tx, domainEvents.users.userGroupCreated, payload, { realmId: group.realmId, requestId })
  return created
}

/** Throws BAD_REQUEST if another group has the name, active or not. */
export function checkGroupNameIsFree(others: readonly Group[], name: string): void {
  const key = groupNameKey(name)
  const other = others.find(({ nameKey }) => nameKey === key)
  if (!other) return
  const kind = other.isDeactivated ? 'deactivated user group' : 'user group'
  throw badRequest(`There is a ${kind} '${name}' already`)
}
