import { badRequest, type endpoints, Role, type UserGroup } from '@tms/contracts'
import { type Caller, type Handler, type Queryable, readWithSnapshot } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listCustomGroups, listDeactivatedUserIds, listRoleMembers } from './group.queries.ts'
import { withoutDeactivated } from './group-record.ts'
import { systemGroupsOf } from './system-groups.rules.ts'

/**
 * All groups of an organization, by ID, deactivated ones included, as clients see them: without deactivated users. The
 * queries agree only within a transaction.
 */
export async function listGroups(db: Queryable, realmId: number): Promise<UserGroup[]> {
  const systemGroups = systemGroupsOf(await listRoleMembers(db, realmId))
  return [...systemGroups, ...(await listShownCustomGroups(db, realmId))]
}

/** The same without system groups. */
export async function listShownCustomGroups(db: Queryable, realmId: number): Promise<UserGroup[]> {
  const customGroups = await listCustomGroups(db, realmId)
  if (customGroups.length === 0) return []
  const deactivated = new Set(await listDeactivatedUserIds(db, realmId))
  return customGroups.map((group) => withoutDeactivated(group, deactivated))
}

/** All groups, in a transaction of its own. */
export async function readGroups({ db }: Pick<Context, 'db'>, realmId: number): Promise<UserGroup[]> {
  const { result } = await readWithSnapshot(db, (tx) => listGroups(tx, realmId))
  return result
}

export const activeGroups = (groups: readonly UserGroup[]): UserGroup[] =>
  groups.filter(({ deactivated }) => !deactivated)

/** Groups are for human users except guests. Throws BAD_REQUEST. */
export function checkMayUseGroups({ role, isBot }: Pick<Caller, 'role' | 'isBot'>): void {
  if (isBot) throw badRequest('Bots cannot use this endpoint')
  if (role > Role.member) throw badRequest('Not allowed for guest users')
}

export const handleListUserGroups: Handler<typeof endpoints.users.listUserGroups, Context> = async ({
  input,
  caller,
  context,
}) => {
  checkMayUseGroups(caller)
  const groups = await readGroups(context, caller.realmId)
  return { user_groups: input.include_deactivated_groups ? groups : activeGroups(groups) }
}
