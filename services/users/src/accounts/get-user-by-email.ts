import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findAccountByEmail } from '../kernel/accounts/account.queries.ts'
import { toUserWithActivity, viewFor } from '../kernel/accounts/user-record.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { canSeeUser } from '../kernel/guest-visibility/user-visibility.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'

/** By API e-mail, case-insensitively. Throws BAD_REQUEST if there is no such user or the caller can't see it. */
export const handleGetUserByEmail: Handler<typeof endpoints.users.getUserByEmail, Context> = async ({
  input,
  caller,
  context,
}) => {
  const account = await findAccountByEmail(context.prisma, caller.realmId, foldEmail(input.email))
  const isKnown = account && !account.isSystemBot && (await canSeeUser(context.db, caller, account))
  if (!isKnown) throw badRequest('No such user')
  const realm = await getRealm(context, caller.realmId)
  return { user: toUserWithActivity(account, viewFor(caller, input, realm)) }
}
