import { AppError, type RealmProjection } from '@tms/contracts'
import { changeAccount } from '../accounts/change-account.ts'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { deletePasswordAttempts } from '../kernel/credentials/password-attempts.queries.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { findPasswordReset } from './find-password-reset.ts'
import { deletePasswordResets } from './password-reset.queries.ts'
import { passwordChangedMail } from './password-reset-mail.ts'
import type { PasswordResetOutcome } from './password-reset-outcome.ts'

/** Sets a new password. A key works once, also under concurrent use. Deletes failed attempts and mails the user. */
export async function resetPassword(
  context: Pick<Context, 'prisma' | 'transact' | 'passwords' | 'checkPasswordStrength' | 'now'>,
  realm: RealmProjection,
  key: string,
  newPassword: string,
  requestId: string,
): Promise<PasswordResetOutcome> {
  const { passwords, checkPasswordStrength } = context
  const account = await findPasswordReset(context, realm, key)
  if (!account) return { kind: 'invalid' }
  try {
    checkPasswordStrength(newPassword, [account.email, account.fullName])
  } catch (err) {
    if (err instanceof AppError) return { kind: 'refused', field: 'password', message: err.message }
    throw err
  }
  const passwordHash = await passwords.hash(newPassword)
  return context.transact(async (tx): Promise<PasswordResetOutcome> => {
    const locked = await lockAccount(tx, realm.realm_id, account.id)
    const pending = await findPasswordReset({ prisma: tx, now: context.now }, realm, key)
    if (!locked || !pending) return { kind: 'invalid' }
    await changeAccount(tx, locked, { passwordHash }, requestId)
    await deletePasswordResets(tx, locked.id)
    await deletePasswordAttempts(tx, realm.realm_id, foldEmail(locked.deliveryEmail))
    await queueMail(tx, passwordChangedMail(realm, locked.deliveryEmail))
    return { kind: 'changed', user_id: locked.id }
  })
}
