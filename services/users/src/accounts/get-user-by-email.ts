import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { toUserWithActivity, viewFor } from '../kernel/accounts/user-record.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { findVisibleByEmail } from './find-visible-by-email.ts'

/** Throws BAD_REQUEST if there is no such user or the caller can't see it. */
export const handleGetUserByEmail: Handler<typeof endpoints.users.getUserByEmail, Context> = async ({
  input,
  caller,
  context,
}) => {
  const realm = await getRealm(context, caller.realmId)
  const account = await findVisibleByEmail(context, caller, foldEmail(input.email))
  if (!account || account.isSystemBot) throw badRequest('No such user')
  return { user: toUserWithActivity(account, viewFor(caller, input, realm)) }
}
