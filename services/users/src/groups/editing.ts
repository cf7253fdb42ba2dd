import { badRequest, Role } from '@tms/contracts'
import { asTx, type Caller, type Tx } from '@tms/service-kit'
import { findPerson, type Person } from '../accounts/account.queries.ts'
import type { Context, PrismaTx } from '../context.ts'
import { admits } from '../register-state/policy.rules.ts'
import { findGroups, findPeopleOf, type Group, lockGroups } from './group.queries.ts'
import type { GroupLinks } from './group-graph.rules.ts'
import { checkMayUseGroups } from './list-groups.ts'
import { systemGroupsOf, systemIds } from './system-groups.rules.ts'

/** An organization's groups, which no one else changes until the transaction ends, and who is about to. */
export interface Editing {
  readonly prisma: PrismaTx
  readonly tx: Tx
  readonly editor: Person
  /** Those that people made. */
  readonly groups: readonly Group[]
}

/**
 * Changes groups in one transaction, for someone whom `user_group_edit_policy` lets. Throws BAD_REQUEST for
 * everyone else.
 */
export async function editGroups<T>(
  context: Context,
  caller: Caller,
  work: (editing: Editing) => Promise<T>,
): Promise<T> {
  checkMayUseGroups(caller)
  const realm = await context.realms.findById(caller.realmId)
  return context.transact(async (prisma) => {
    const tx = asTx(prisma)
    await lockGroups(tx, caller.realmId)
    const editor = await findPerson(prisma, caller.realmId, caller.userId)
    if (
      !editor ||
      !realm ||
      !admits(realm.user_group_edit_policy, editor, realm.waiting_period_threshold, context.now())
    ) {
      throw badRequest('Insufficient permission')
    }
    return work({ prisma, tx, editor, groups: await findGroups(prisma, caller.realmId) })
  })
}

/**
 * The group to be changed: of one's own, or any for a moderator and above. Throws BAD_REQUEST for another, for
 * one that every organization has, and for none.
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

/** IDs without repetition, in order, all of which are people's of the organization. Throws BAD_REQUEST. */
export async function checkPeople(
  { prisma, editor }: Editing,
  userIds: readonly number[],
): Promise<number[]> {
  const ids = sorted(userIds)
  if (ids.length === 0) return ids
  const known = new Set(await findPeopleOf(prisma, editor.realmId, ids))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`)
  return ids
}

/** IDs without repetition, in order, all of which are groups' of the organization. Throws BAD_REQUEST. */
export function checkGroups({ groups }: Editing, groupIds: readonly number[]): number[] {
  const ids = sorted(groupIds)
  const unknown = ids.find((id) => !systemIds.has(id) && !groups.some((group) => group.id === id))
  if (unknown !== undefined) throw badRequest(`Invalid user group ID: ${unknown}`)
  return ids
}

/** How all groups of the organization hang together. */
export function linksOf(groups: readonly Group[]): GroupLinks[] {
  return [
    ...systemGroupsOf([]),
    ...groups.map(({ id, subgroupIds }) => ({ id, direct_subgroup_ids: subgroupIds })),
  ]
}

export const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
