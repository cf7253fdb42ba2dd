import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { changeAccount } from '../accounts/change-account.ts'
import { findAccountByDeliveryEmail, lockAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { deletePasswordAttempts } from '../kernel/credentials/password-attempts.queries.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { deletePasswordResets } from '../password-reset/password-reset.queries.ts'
import { passwordChangedMail } from '../password-reset/password-reset-mail.ts'

/**
 * Sets a user's password on behalf of an operator. Deletes failed attempts and mailed reset links, and mails the
 * user. The API key stays. Throws BAD_REQUEST.
 */
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
  checkPasswordStrength(password, [account.deliveryEmail, account.fullName])
  const passwordHash = await passwords.hash(password)
  await transact(async (tx) => {
    const locked = await lockAccount(tx, realm.realm_id, account.id)
    if (!locked) throw badRequest('The account is gone')
    await changeAccount(tx, locked, { passwordHash }, requestId)
    await deletePasswordResets(tx, locked.id)
    await deletePasswordAttempts(tx, realm.realm_id, foldEmail(locked.deliveryEmail))
    await queueMail(tx, passwordChangedMail(realm, locked.deliveryEmail))
  })
  return { user_id: account.id }
}
