import { badRequest } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { findRealmPermissions, permissionSubjectOf } from '../kernel/groups/group-membership.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { type Group, listActiveUserIds, listGroupRows } from './group.queries.ts'
import { type EditPermission, type GroupEditor, mayEditGroup } from './group-access.rules.ts'
import type { GroupLinks } from './group-graph.rules.ts'
import { checkMayUseGroups } from './list-groups.ts'
import { systemGroupsOf, systemIds } from './system-groups.rules.ts'

const PERMISSIONS = ['can_create_groups', 'can_manage_all_groups'] as const

/** The locked groups of an organization, and the user who edits them. */
export interface Editing {
  readonly tx: PrismaTx
  readonly realmId: number
  readonly editor: GroupEditor
  /** Whether the editor may create groups. */
  readonly mayCreate: boolean
  /** Custom groups. */
  readonly groups: readonly Group[]
}

/** Runs `work` under the groups' lock. Throws BAD_REQUEST for guests and bots. */
export async function editGroups<T>(
  context: Context,
  caller: Caller,
  work: (editing: Editing) => Promise<T>,
): Promise<T> {
  checkMayUseGroups(caller)
  const realm = await getRealm(context, caller.realmId)
  return context.transact(async (tx) => {
    await lockGroups(tx, caller.realmId)
    const account = await findAccount(tx, caller.realmId, caller.userId)
    if (!account) throw badRequest('Insufficient permission')
    const now = context.now()
    const may = await findRealmPermissions(tx, realm, account, PERMISSIONS, now)
    return work({
      tx,
      realmId: caller.realmId,
      editor: {
        ...permissionSubjectOf(realm, account, now),
        managesAllGroups: may.can_manage_all_groups,
      },
      mayCreate: may.can_create_groups,
      groups: await listGroupRows(tx, caller.realmId),
    })
  })
}

/**
 * The custom group of this ID, which may be deactivated. Throws BAD_REQUEST for system groups, unknown IDs, and without
 * these permissions.
 */
export function getEditable(
  { groups, editor }: Editing,
  groupId: number,
  permissions: readonly EditPermission[],
): Group {
  const group = groups.find(({ id }) => id === groupId)
  if (systemIds.has(groupId)) throw badRequest('Nobody can change this group')
  if (!group) throw badRequest('No such user group')
  const active = groups.filter(({ isDeactivated }) => !isDeactivated)
  if (!permissions.every((name) => mayEditGroup(name, group, editor, active))) {
    throw badRequest('Insufficient permission')
  }
  return group
}

/** The same, but also throws BAD_REQUEST for a deactivated group. */
export function getEditableActive(...parameters: Parameters<typeof getEditable>): Group {
  const group = getEditable(...parameters)
  if (group.isDeactivated) throw badRequest('The user group is deactivated')
  return group
}

/** Sorts and deduplicates the IDs. Throws BAD_REQUEST if one isn't an active user of the organization. */
export async function checkUserIds({ tx, realmId }: Editing, userIds: readonly number[]): Promise<number[]> {
  const ids = sorted(userIds)
  if (ids.length === 0) return ids
  const active = new Set(await listActiveUserIds(tx, realmId, ids.filter(canBeId)))
  const other = ids.find((id) => !active.has(id))
  if (other !== undefined) throw badRequest(`Invalid user ID: ${other}`)
  return ids
}

/** Sorts and deduplicates the IDs. Throws BAD_REQUEST if one isn't an active group of the organization. */
export function checkGroupIds({ groups }: Editing, groupIds: readonly number[]): number[] {
  const ids = sorted(groupIds)
  const isActive = (id: number) => groups.some((group) => group.id === id && !group.isDeactivated)
  const unknown = ids.find((id) => !systemIds.has(id) && !isActive(id))
  if (unknown !== undefined) throw badRequest(`Invalid user group ID: ${unknown}`)
  return ids
}

/** The subgroup graph of system and custom groups. */
export function linksOf(groups: readonly Group[]): GroupLinks[] {
  return [
    ...systemGroupsOf([]),
    ...groups.map(({ id, subgroupIds }) => ({ id, direct_subgroup_ids: subgroupIds })),
  ]
}

export const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
