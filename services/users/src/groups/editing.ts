import { badRequest, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { findRealmPermissions } from '../kernel/groups/group-membership.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { type Group, listGroupRows, listKnownUserIds, lockGroups } from './group.queries.ts'
import type { GroupLinks } from './group-graph.rules.ts'
import { checkMayUseGroups } from './list-groups.ts'
import { systemGroupsOf, systemIds } from './system-groups.rules.ts'

/** The locked groups of an organization, and the user who edits them. */
export interface Editing {
  readonly tx: PrismaTx
  readonly editor: Account
  /** Custom groups. */
  readonly groups: readonly Group[]
}

/** Runs `work` under the groups' lock if the caller has `can_create_groups`; else throws BAD_REQUEST. */
export async function editGroups<T>(
  context: Context,
  caller: Caller,
  work: (editing: Editing) => Promise<T>,
): Promise<T> {
  checkMayUseGroups(caller)
  const realm = await getRealm(context, caller.realmId)
  return context.transact(async (tx) => {
    await lockGroups(tx, caller.realmId)
    const editor = await findAccount(tx, caller.realmId, caller.userId)
    if (!editor) throw badRequest('Insufficient permission')
    const may = await findRealmPermissions(tx, realm, editor, ['can_create_groups'], context.now())
    if (!may.can_create_groups) throw badRequest('Insufficient permission')
    return work({ tx, editor, groups: await listGroupRows(tx, caller.realmId) })
  })
}

/**
 * The group to edit: a member's own groups, or any for moderators and above. Throws BAD_REQUEST for other groups,
 * system groups and unknown IDs.
 */
export function getEditable({ groups, editor }: Editing, groupId: number): Group {
  const group = groups.find(({ id }) => id === groupId)
  if (systemIds.has(groupId)) throw badRequest('Nobody can change this group')
  if (!group) throw badRequest('No such user group')
  if (editor.role > Role.moderator && !group.memberIds.includes(editor.id)) {
    throw badRequest('Insufficient permission')
  }
  return group
}

/** Sorts and deduplicates the IDs. Throws BAD_REQUEST if one isn't a user of the organization. */
export async function checkUserIds({ tx, editor }: Editing, userIds: readonly number[]): Promise<number[]> {
  const ids = sorted(userIds)
  if (ids.length === 0) return ids
  const known = new Set(await listKnownUserIds(tx, editor.realmId, ids))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`)
  return ids
}

/** Sorts and deduplicates the IDs. Throws BAD_REQUEST if one isn't a group of the organization. */
export function checkGroupIds({ groups }: Editing, groupIds: readonly number[]): number[] {
  const ids = sorted(groupIds)
  const unknown = ids.find((id) => !systemIds.has(id) && !groups.some((group) => group.id === id))
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
