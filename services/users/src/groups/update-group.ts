import { badRequest, domainEvents, type endpoints, type PayloadOf } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { checkGroupNameIsFree } from './create-group.ts'
import { type Editing, editGroups, getEditable } from './editing.ts'
import { type Group, updateGroupRow } from './group.queries.ts'
import { checkGroupDescription, checkGroupName, groupNameKey } from './group-name.rules.ts'
import { checkPermission, isSamePermission } from './group-permission.ts'
import { toGroupProjection } from './group-record.ts'

type Input = Parameters<Handler<typeof endpoints.users.updateUserGroup, Context>>[0]['input']
type Changes = PayloadOf<typeof domainEvents.users.userGroupUpdated>['data']

/** Changes name, description and mention permission of a group. Publishes only what changed. */
export const handleUpdateUserGroup: Handler<typeof endpoints.users.updateUserGroup, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  if (input.name === undefined && input.description === undefined && input.can_mention_group === undefined) {
    throw badRequest("Nothing to change: give 'name', 'description' or 'can_mention_group'")
  }
  await editGroups(context, caller, async (editing) => {
    const group = getEditable(editing, input.user_group_id)
    const data = await changesOf(editing, group, input)
    if (Object.keys(data).length === 0) return
    const { name, description, can_mention_group } = data
    const after = await updateGroupRow(editing.tx, group.id, {
      ...(name === undefined ? {} : { name, nameKey: groupNameKey(name) }),
      ...(description === undefined ? {} : { description }),
      ...(can_mention_group === undefined ? {} : { canMentionGroup: can_mention_group }),
    })
    await publish(
      editing.tx,
      domainEvents.users.userGroupUpdated,
      { group_id: group.id, data, projection: toGroupProjection(after) },
      { realmId: group.realmId, requestId },
    )
  })
  return {}
}

async function changesOf(editing: Editing, group: Group, input: Input): Promise<Changes> {
  const data: Changes = {}
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
  if (input.can_mention_group !== undefined) {
    const requested = input.can_mention_group
    const { new: wanted, old } =
      typeof requested === 'object' && 'new' in requested ? requested : { new: requested }
    if (old !== undefined && !isSamePermission(old, group.canMentionGroup)) {
      throw badRequest(
        "The current value of 'can_mention_group' differs from 'old': fetch the group and try again",
      )
    }
    const permission = await checkPermission(editing, wanted)
    if (!isSamePermission(permission, group.canMentionGroup)) data.can_mention_group = permission
  }
  return data
}
