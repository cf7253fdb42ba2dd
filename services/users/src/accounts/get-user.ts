import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import { toUserWithActivity, viewFor } from '../kernel/accounts/user-record.ts'
import type { Context } from '../kernel/context.ts'
import { canSeeUser } from '../kernel/guest-visibility/user-visibility.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'

/** Throws BAD_REQUEST for an unknown user, the system bot, or a user that the caller can't see. */
export const handleGetUser: Handler<typeof endpoints.users.getUser, Context> = async ({
  input,
  caller,
  context,
}) => {
  const account = await findAccount(context.prisma, caller.realmId, input.user_id)
  const isKnown = account && !account.isSystemBot && (await canSeeUser(context.db, caller, account))
  if (!isKnown) throw badRequest('No such user')
  const realm = await getRealm(context, caller.realmId)
  return { user: toUserWithActivity(account, viewFor(caller, input, realm)) }
}
