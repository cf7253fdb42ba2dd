import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findRealmPermissions } from '../kernel/groups/group-membership.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'

/** Whether a user, who must be active, has a permission of the organization. Throws BAD_REQUEST for an unknown one. */
export const handleCheckRealmPermission: InternalHandler<
  typeof internal.users.checkRealmPermission,
  Context
> = async ({ realm_id, user_id, permission }, context) => {
  const [realm, account] = await Promise.all([
    getRealm(context, realm_id),
    findAccount(context.prisma, realm_id, user_id),
  ])
  if (!account) throw badRequest('No such user')
  const granted = await findRealmPermissions(context.db, realm, account, [permission], context.now())
  return { is_permitted: account.isActive && granted[permission] }
}
