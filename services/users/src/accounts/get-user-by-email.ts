import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { canSeeUser } from '../guest-visibility/user-visibility.ts'
import type { Context } from '../kernel/context.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { findAccountByEmail } from './account.queries.ts'
import { foldEmail } from './email-address.rules.ts'
import { toUserWithActivity, viewFor } from './user-record.ts'

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
