import { AppError, type RealmFacts } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import { findCredentials, lockPerson } from '../accounts/account.queries.ts'
import { changePerson } from '../accounts/change-person.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import type { Context, PrismaTx } from '../context.ts'
import { hashLinkKey, isLinkKey } from '../credentials/link-key.ts'
import { deletePasswordAttempts } from '../credentials/password-attempts.queries.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { accountStateOf } from './account-state.ts'
import { deletePasswordResets, findPasswordReset } from './password-reset.queries.ts'
import { passwordChangedMail } from './password-reset-mail.ts'
import type { PasswordResetOutcome } from './password-reset-outcome.ts'

/** The account whose password the key sets. Null for a key that is unknown, used, expired, or of what changed since. */
export async function findResettable(
  db: PrismaClient | PrismaTx,
  realm: RealmFacts,
  key: string,
  now: Date,
): Promise<{ readonly id: number; readonly email: string; readonly fullName: string } | null> {
  if (!realm.is_active || !isLinkKey(key)) return null
  const reset = await findPasswordReset(db, hashLinkKey(key), now)
  if (!reset) return null
  const account = await findCredentials(db, realm.realm_id, reset.accountId)
  if (!account?.isActive) return null
  if (Buffer.compare(reset.accountState, accountStateOf(account)) !== 0) return null
  return { id: account.id, email: account.deliveryEmail, fullName: account.fullName }
}

/**
 * Sets a new password, once for each key; two at once with the same key set one. Failed attempts to sign in are
 * forgotten, and the owner is told by mail.
 */
export async function resetPassword(
  context: Pick<Context, 'prisma' | 'transact' | 'passwords' | 'checkPasswordStrength' | 'now'>,
  realm: RealmFacts,
  key: string,
  newPassword: string,
  requestId: string,
): Promise<PasswordResetOutcome> {
  const { prisma, passwords, checkPasswordStrength } = context
  const account = await findResettable(prisma, realm, key, context.now())
  if (!account) return { kind: 'invalid' }
  try {
    checkPasswordStrength(newPassword, [account.email, account.fullName])
  } catch (err) {
    if (err instanceof AppError) return { kind: 'refused', field: 'password', message: err.message }
    throw err
  }
  const passwordHash = await passwords.hash(newPassword)
  return context.transact(async (tx): Promise<PasswordResetOutcome> => {
    const person = await lockPerson(tx, realm.realm_id, account.id)
    const held = await findResettable(tx, realm, key, context.now())
    if (!person || !held) return { kind: 'invalid' }
    await changePerson(tx, person, { passwordHash }, requestId)
    await deletePasswordResets(tx, person.id)
    await deletePasswordAttempts(asTx(tx), realm.realm_id, foldEmail(person.deliveryEmail))
    await queueMail(asTx(tx), passwordChangedMail(realm, person.deliveryEmail))
    return { kind: 'changed', user_id: person.id }
  })
}
