import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findStoredPasswordFault } from '../directory/stored-password.ts'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { replacePassword } from './replace-password.ts'

/** Sets a user's password on behalf of an operator, and mails the user. Throws BAD_REQUEST. */
export const handleSetPassword: InternalHandler<typeof internal.users.setPassword, Context> = async (
  { realm_id, email, password },
  context,
  requestId,
) => {
  const { prisma, passwords, checkPasswordStrength, transact } = context
  const realm = await getRealm(context, realm_id)
  const account = await findAccountByDeliveryEmail(prisma, realm.realm_id, foldEmail(email))
  if (!account || account.isBot) throw badRequest('Nobody has an account with this address here')
  if (!account.isActive) throw badRequest('The account is deactivated')
  const fault = await findStoredPasswordFault(context, prisma, realm, account.id)
  if (fault !== null) throw badRequest(fault)
  checkPasswordStrength(password, [account.deliveryEmail, account.fullName])
  const passwordHash = await passwords.hash(password)
  await transact(async (tx) => {
    const locked = await lockAccount(tx, realm.realm_id, account.id)
    if (!locked) throw badRequest('The account is gone')
    await replacePassword(tx, locked, realm, passwordHash, requestId)
  })
  return { user_id: account.id }
}
