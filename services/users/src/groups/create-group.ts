import { badRequest, domainEvents, type endpoints, systemGroupIds } from '@tms/contracts'
import { type Handler, publisherOf } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { checkPeople, editGroups } from './editing.ts'
import { createGroupRow, type Group } from './group.queries.ts'
import { checkGroupDescription, checkGroupName, groupNameKey } from './group-name.rules.ts'
import { checkPermission } from './group-permission.ts'
import { toGroupProjection, toUserGroup } from './group-record.ts'

const publish = publisherOf('users')

/** Makes a group. Throws BAD_REQUEST. Of two who want one name at once, one gets it. */
export const handleCreateUserGroup: Handler<typeof endpoints.users.createUserGroup, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const name = checkGroupName(input.name)
  const description = checkGroupDescription(input.description)
  await editGroups(context, caller, async (editing) => {
    checkIsFree(editing.groups, name)
    const { realmId } = caller
    const asked = input.can_mention_group ?? systemGroupIds['role:everyone']
    const group = await createGroupRow(editing.prisma, {
      realmId,
      name,
      nameKey: groupNameKey(name),
      description,
      memberIds: await checkPeople(editing, input.members),
      subgroupIds: [],
      canMentionGroup: await checkPermission(editing, asked),
    })
    const payload = { group: toUserGroup(group), projection: toGroupProjection(group) }
    await publish(editing.tx, domainEvents.users.userGroupCreated, payload, { realmId, requestId })
  })
  return {}
}

/** Throws BAD_REQUEST where another group has the name. */
export function checkIsFree(others: readonly Group[], name: string): void {
  const key = groupNameKey(name)
  if (others.some(({ nameKey }) => nameKey === key)) {
    throw badRequest(`There is a user group '${name}' already`)
  }
}
