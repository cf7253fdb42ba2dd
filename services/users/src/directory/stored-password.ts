import type { RealmProjection } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { PrismaDb } from '../kernel/database/prisma-tx.ts'
import { methodsOf, storesPasswords } from '../kernel/sign-on/methods-of.ts'
import { findDirectoryOf } from './directory-account.queries.ts'
import type { DirectoryContext } from './directory-context.ts'
import { directoryOf } from './sign-in-by-directory.ts'

export const PASSWORDS_ARE_OFF = 'This organization stores no passwords'
const OF_DIRECTORY = "The password is that of the organization's directory"

/** Why a user can't have a password that is stored here, as a text for the user; null if they can. */
export async function findStoredPasswordFault(
  context: Pick<Context, 'signOn'>,
  db: PrismaDb,
  realm: RealmProjection,
  accountId: number,
): Promise<string | null> {
  if (!storesPasswords(context, realm)) return PASSWORDS_ARE_OFF
  if (!methodsOf(context, realm).includes('LDAP')) return null
  return (await findDirectoryOf(db, accountId)) === null ? null : OF_DIRECTORY
}

/**
 * Whether an address is somebody's in the organization's directory, who signs in there instead of choosing a password.
 * Throws SERVICE_UNAVAILABLE if the directory doesn't answer.
 */
export async function isInDirectory(
  context: Pick<DirectoryContext, 'signOn' | 'directories'>,
  realm: RealmProjection,
  email: string,
): Promise<boolean> {
  if (!methodsOf(context, realm).includes('LDAP')) return false
  const directory = directoryOf(context, realm)
  if (!directory) return false
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (directory.emailDomain !== null && domain !== directory.emailDomain) return false
  // Who can't be looked up belongs to the domain's directory, or to none that has addresses.
  if (!directory.canSearch) return directory.emailDomain !== null
  return (await directory.findByAddress(email)).length > 0
}
