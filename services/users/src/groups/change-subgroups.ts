import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Cause, Handler, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { checkGroupIds, type Editing, editGroups, getEditableActive, linksOf, sorted } from './editing.ts'
import { type Group, updateGroupRow } from './group.queries.ts'
import type { EditPermission } from './group-access.rules.ts'
import { makesCycle } from './group-graph.rules.ts'
import { toGroupProjection } from './group-record.ts'

/** Adds and removes subgroups of a group, all or nothing. Throws BAD_REQUEST. */
export const handleUpdateUserGroupSubgroups: Handler<
  typeof endpoints.users.updateUserGroupSubgroups,
  Context
> = async ({ input, caller, context, requestId }) => {
  const { add = [], delete: remove = [] } = input
  if (add.length === 0 && remove.length === 0)
    throw badRequest("Nothing to change: 'add' and 'delete' are empty")
  await editGroups(context, caller, async (editing) => {
    const group = getEditableActive(editing, input.user_group_id, permissionsFor({ add, remove }))
    await changeSubgroups(editing, group, { add, remove }, { realmId: group.realmId, requestId })
  })
  return {}
}

interface Change {
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/** What a change of subgroups needs: they bring all their members. */
export function permissionsFor({ add, remove }: Change): EditPermission[] {
  return [
    ...(add.length > 0 ? (['can_add_members_group'] as const) : []),
    ...(remove.length > 0 ? (['can_remove_members_group'] as const) : []),
  ]
}

/** Throws BAD_REQUEST. */
export async function changeSubgroups(
  editing: Editing,
  group: Group,
  { add, remove }: Change,
  cause: Cause,
): Promise<void> {
  const present = group.subgroupIds
  const added = checkGroupIds(editing, add)
  const removed = sorted(remove)
  const known = added.find((id) => present.includes(id))
  if (known !== undefined) throw badRequest(`Group ${known} is a subgroup already`)
  const missing = removed.find((id) => !present.includes(id))
  if (missing !== undefined) throw badRequest(`Group ${missing} is no subgroup of this group`)
  if (makesCycle(linksOf(editing.groups), group.id, added))
    throw badRequest('A group cannot be within itself')
  const subgroupIds = sorted([...present.filter((id) => !removed.includes(id)), ...added])
  const after = await updateGroupRow(editing.tx, group.id, { subgroupIds })
  await publishSubgroups(editing.tx, after, { added, removed }, cause)
}

/** Publishes a change of a group's subgroups. */
export function publishSubgroups(
  tx: Tx,
  after: Group,
  change: { readonly added: number[]; readonly removed: number[] },
  cause: Cause,
): Promise<void> {
  return publish(
    tx,
    domainEvents.users.userGroupSubgroupsChanged,
    {
      group_id: after.id,
      added_group_ids: change.added,
      removed_group_ids: change.removed,
      projection: toGroupProjection(after),
    },
    cause,
  )
}
