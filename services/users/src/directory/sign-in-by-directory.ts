import { AppError, findDirectory, type RealmProjection } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import { admitVerifiedAddress } from '../admission/admit-verified-address.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { reactivateByDirectory } from './change-activity.ts'
import type { Directory } from './directory.ts'
import { findDirectoryOf, saveDirectoryOf, wasDeactivatedByDirectory } from './directory-account.queries.ts'
import type { DirectoryContext } from './directory-context.ts'
import type { Person } from './person.rules.ts'
import { updateAvatar } from './update-avatar.ts'
import { applyDirectoryChange, findDirectoryChange } from './update-from-directory.ts'

interface Attempt {
  readonly username: string
  readonly password: string
  /** Called once the entry is known, with its folded address, before the password is tried. */
  readonly claimAttempt: (foldedEmail: string) => Promise<void>
  readonly requestId: string
  readonly log: Logger
}

export type DirectorySignIn =
  | { readonly kind: 'right'; readonly account: Account }
  | { readonly kind: 'wrong' }
  /** The directory doesn't know the name, so another method may. */
  | { readonly kind: 'unknown' }

/** The directory of an organization; null if it has none. */
export function directoryOf(
  { signOn, directories }: Pick<DirectoryContext, 'signOn' | 'directories'>,
  { string_id }: Pick<RealmProjection, 'string_id'>,
): Directory | null {
  const settings = findDirectory(signOn, string_id)
  return (settings && directories.get(settings.name)) ?? null
}

/**
 * Signs in with the password of a directory. The account is the one that has the address of the entry; without one it
 * is created under the organization's rules, and an existing one gets what the directory says. Throws
 * SERVICE_UNAVAILABLE if the directory doesn't answer, USER_DEACTIVATED, and AUTHENTICATION_FAILED with the rule that
 * forbids an account.
 */
export async function signInByDirectory(
  context: DirectoryContext,
  realm: RealmProjection,
  directory: Directory,
  { username, password, claimAttempt, requestId, log }: Attempt,
): Promise<DirectorySignIn> {
  const answer = await directory.authenticate(username, password, (countedName) =>
    claimAttempt(foldEmail(countedName)),
  )
  if (answer.kind !== 'right') return answer
  const { person } = answer
  if (person.isDisabled) return { kind: 'wrong' }
  if (person.email === null) {
    log.warn({ directory: directory.name, dn: person.dn }, 'a directory entry has no valid e-mail address')
    return { kind: 'wrong' }
  }
  const account = await findOrAdmit(context, realm, { person, email: person.email, directory }, requestId)
  return account ? { kind: 'right', account } : { kind: 'wrong' }
}

/** Null if the address belongs to a bot. */
async function findOrAdmit(
  context: DirectoryContext,
  realm: RealmProjection,
  entry: { person: Person; email: string; directory: Directory },
  requestId: string,
): Promise<Account | null> {
  const { prisma, db } = context
  const { person, email, directory } = entry
  const find = () => findAccountByDeliveryEmail(prisma, realm.realm_id, foldEmail(email))
  const known = await find()
  if (!known) {
    const { fullName, role } = person
    const created = await admitVerifiedAddress(
      context,
      realm,
      { email, role, fullName: fullName ?? '' },
      (tx, account) => saveDirectoryOf(tx, account, directory.name),
      requestId,
    )
    if (created) await update(context, realm, directory, created, person, requestId)
    if (created) return created
  }
  const existing = known ?? (await find())
  if (!existing || existing.isBot) return null
  if (!existing.isActive) {
    if (!(await wasDeactivatedByDirectory(prisma, existing.id))) throw new AppError('USER_DEACTIVATED')
    const subject = { realmId: realm.realm_id, accountId: existing.id, directory: directory.name }
    await reactivateByDirectory(context, subject, requestId)
  }
  const account = await findAccount(prisma, realm.realm_id, existing.id)
  if (!account) return null
  if ((await findDirectoryOf(prisma, account.id)) !== directory.name)
    await saveDirectoryOf(db, account, directory.name)
  await update(context, realm, directory, account, person, requestId)
  return account
}

async function update(
  context: DirectoryContext,
  realm: RealmProjection,
  directory: Directory,
  account: Account,
  person: Person,
  requestId: string,
): Promise<void> {
  const change = await findDirectoryChange(context, account, person)
  await applyDirectoryChange(context, realm, account.id, change, requestId)
  // Nobody is kept out by a picture.
  await updateAvatar(context, directory, account, person, { isDryRun: false, requestId }).catch(
    (err: unknown) => context.log.warn({ err, directory: directory.name }, 'a picture could not be taken'),
  )
}
