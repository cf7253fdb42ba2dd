import { badRequest, type endpoints, Role, type UserGroup } from '@tms/contracts'
import type { Caller, Handler, Queryable } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listCohorts, listCustomGroups } from './group.queries.ts'
import { systemGroupsOf } from './system-groups.rules.ts'

/** All groups of an organization, by ID. Inside a transaction the two queries see the same. */
export async function listGroups(db: Queryable, realmId: number): Promise<UserGroup[]> {
  const cohorts = await listCohorts(db, realmId)
  return [...systemGroupsOf(cohorts), ...(await listCustomGroups(db, realmId))]
}

/** Everything about groups is for people, and not for guests. Throws BAD_REQUEST. */
export function checkMayUseGroups({ role, isBot }: Pick<Caller, 'role' | 'isBot'>): void {
  if (isBot) throw badRequest('Bots can not use this endpoint')
  if (role > Role.member) throw badRequest('Not allowed for guest users')
}

/** All groups of the organization. */
export const handleListUserGroups: Handler<typeof endpoints.users.listUserGroups, Context> = async ({
  caller,
  context,
}) => {
  checkMayUseGroups(caller)
  return { user_groups: await listGroups(context.db, caller.realmId) }
}
