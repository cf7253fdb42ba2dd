import { badRequest, type RealmProjection } from '@tms/contracts'
import { findStoredPasswordFault } from '../directory/stored-password.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findPasswordHash } from '../kernel/credentials/credential.queries.ts'
import {
  claimPasswordAttempt,
  deletePasswordAttempts,
} from '../kernel/credentials/password-attempts.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/** A new password, already hashed, because hashing is slow. */
export interface NewPassword {
  readonly hash: string
  /** Hash of the current password, which the user has entered correctly. */
  readonly replaces: string
}

type Parts = Pick<
  Context,
  'prisma' | 'db' | 'passwords' | 'checkPasswordStrength' | 'passwordAttempts' | 'signOn'
>

/**
 * Checks that the user can have a password here, the current one, and the strength of the new one. Counts as a sign-in attempt. Throws BAD_REQUEST, also
 * after too many attempts.
 */
export async function prepareNewPassword(
  context: Parts,
  realm: RealmProjection,
  own: Account,
  { oldPassword, newPassword }: { oldPassword: string | undefined; newPassword: string },
): Promise<NewPassword> {
  const { prisma, db, passwords, checkPasswordStrength, passwordAttempts } = context
  const fault = await findStoredPasswordFault(context, prisma, realm, own.id)
  if (fault !== null) throw badRequest(fault)
  checkPasswordStrength(newPassword, [own.deliveryEmail, own.fullName])
  if (oldPassword === undefined) throw wrongPasswordError()
  if (!(await claimPasswordAttempt(db, own.realmId, foldEmail(own.deliveryEmail), passwordAttempts)))
    throw badRequest('There were too many wrong passwords; please try again later')
  const present = await findPasswordHash(prisma, own.realmId, own.id)
  const isRight = await passwords.matches(present, oldPassword)
  if (present === null || !isRight) throw wrongPasswordError()
  return { hash: await passwords.hash(newPassword), replaces: present }
}

/**
 * Confirms a prepared password for a locked account and deletes failed attempts; the caller writes the hash. Throws
 * BAD_REQUEST if the password has changed since it was checked.
 */
export async function acceptNewPassword(tx: PrismaTx, own: Account, password: NewPassword): Promise<void> {
  if ((await findPasswordHash(tx, own.realmId, own.id)) !== password.replaces) throw wrongPasswordError()
  await deletePasswordAttempts(tx, own.realmId, foldEmail(own.deliveryEmail))
}

const wrongPasswordError = (): Error => badRequest('The present password is wrong')
