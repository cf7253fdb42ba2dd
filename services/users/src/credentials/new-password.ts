import { badRequest } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import { findPasswordHash, type Person } from '../accounts/account.queries.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import type { Context, PrismaTx } from '../context.ts'
import { claimPasswordAttempt, deletePasswordAttempts } from './password-attempts.queries.ts'

/** A password that may take the place of another, hashed already, because that takes long. */
export interface NewPassword {
  readonly hash: string
  /** The hash of the password that its owner has proved to know. */
  readonly replaces: string
}

type Parts = Pick<Context, 'prisma' | 'db' | 'passwords' | 'checkPasswordStrength' | 'passwordAttempts'>

/**
 * Checks that someone knows their present password, and that the new one is strong. Proving it counts as an attempt to sign in. Throws
 * BAD_REQUEST, also when there were too many attempts.
 */
export async function prepareNewPassword(
  { prisma, db, passwords, checkPasswordStrength, passwordAttempts }: Parts,
  own: Person,
  { oldPassword, newPassword }: { oldPassword: string | undefined; newPassword: string },
): Promise<NewPassword> {
  checkPasswordStrength(newPassword, [own.deliveryEmail, own.fullName])
  if (oldPassword === undefined) throw wrongPassword()
  if (!(await claimPasswordAttempt(db, own.realmId, foldEmail(own.deliveryEmail), passwordAttempts)))
    throw badRequest('There were too many wrong passwords; please try again later')
  const present = await findPasswordHash(prisma, own.realmId, own.id)
  const isRight = await passwords.matches(present, oldPassword)
  if (present === null || !isRight) throw wrongPassword()
  return { hash: await passwords.hash(newPassword), replaces: present }
}

/**
 * Agrees to a prepared password for a locked account and forgives earlier attempts; the caller writes the hash. Throws
 * BAD_REQUEST when the password that was proved is the present one no more.
 */
export async function admitNewPassword(tx: PrismaTx, own: Person, password: NewPassword): Promise<void> {
  if ((await findPasswordHash(tx, own.realmId, own.id)) !== password.replaces) throw wrongPassword()
  await deletePasswordAttempts(asTx(tx), own.realmId, foldEmail(own.deliveryEmail))
}

const wrongPassword = (): Error => badRequest('The present password is wrong')
