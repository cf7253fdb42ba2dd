import { AppError, type RealmProjection } from '@tms/contracts'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findPasswordReset } from './find-password-reset.ts'
import type { PasswordResetOutcome } from './password-reset-outcome.ts'
import { replacePassword } from './replace-password.ts'

/** Sets a new password. A key works once, also under concurrent use. */
export async function resetPassword(
  context: Pick<Context, 'prisma' | 'transact' | 'passwords' | 'checkPasswordStrength' | 'now' | 'signOn'>,
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
    const pending = await findPasswordReset({ ...context, prisma: tx }, realm, key)
    if (!locked || !pending) return { kind: 'invalid' }
    await replacePassword(tx, locked, realm, passwordHash, requestId)
    return { kind: 'changed', user_id: locked.id }
  })
}
