import { AppError, type RealmProjection } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import { admitVerifiedAddress } from '../admission/admit-verified-address.ts'
import { applyDirectoryChange, findDirectoryChange } from '../directory/update-from-directory.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { findAccountIdByIdentity, linkIdentity } from '../kernel/sign-on/external-identity.queries.ts'
import type { ProvenPerson, Provider } from '../providers/provider.ts'
import type { Wish } from './flow.ts'
import type { SignOnContext } from './sign-on-context.ts'

export type FoundAccount =
  | { readonly kind: 'found'; readonly account: Account }
  /** Nobody has the address, and the person wanted to log in. */
  | { readonly kind: 'none'; readonly email: string }
  | { readonly kind: 'deactivated'; readonly userId: number }
  /** The provider has no address of the person that it has verified. */
  | { readonly kind: 'unverified' }
  /** The account belongs to somebody else at the provider. */
  | { readonly kind: 'taken'; readonly userId: number }
  /** `reason` is for the person. A user is known if the account is of a kind that nobody signs in to. */
  | { readonly kind: 'refused'; readonly reason: string; readonly userId?: number | undefined }

type Parts = Pick<SignOnContext, 'prisma' | 'db' | 'transact' | 'now' | 'call'>

interface SignIn {
  readonly provider: Pick<Provider, 'settings'>
  readonly person: ProvenPerson
  readonly wish: Wish
  readonly requestId: string
  readonly log: Logger
}

/**
 * The account of somebody that a provider has identified: the one that is linked with the person, else the one that
 * has a verified address, which is linked then. Without either it is created, if that is wanted and the organization's
 * rules allow it. What the provider decides about an existing account is brought up to date.
 */
export async function findAccountOfPerson(
  context: Parts,
  realm: RealmProjection,
  signIn: SignIn,
): Promise<FoundAccount> {
  const found = (await findLinked(context, realm, signIn)) ?? (await findByAddress(context, realm, signIn))
  if (found.kind === 'found') await update(context, realm, found.account, signIn)
  return found
}

/** Somebody that a server of the organization names by address alone. */
export interface NamedPerson {
  readonly email: string
  readonly fullName: string | null
}

/**
 * The account that has an address, which is all that is known of the person. Without one it is created if the
 * organization's rules allow it.
 */
export async function findAccountOfAddress(
  context: Parts,
  realm: RealmProjection,
  { email, fullName }: NamedPerson,
  { linkKey }: Pick<Wish, 'linkKey'>,
  requestId: string,
): Promise<FoundAccount> {
  const { prisma } = context
  const find = () => findAccountByDeliveryEmail(prisma, realm.realm_id, foldEmail(email))
  const known = await find()
  const person = { email, fullName: usableName({ fullName }, email), role: null, linkKey }
  const created = known
    ? null
    : await asOutcome(() => admitVerifiedAddress(context, realm, person, async () => {}, requestId))
  if (created) return created
  const existing = known ?? (await find())
  if (!existing || existing.isBot)
    return { kind: 'refused', reason: 'Nobody can sign in with that address', userId: existing?.id }
  if (!existing.isActive) return { kind: 'deactivated', userId: existing.id }
  const account = await findAccount(prisma, realm.realm_id, existing.id)
  return account ? { kind: 'found', account } : { kind: 'refused', reason: 'Try again' }
}

async function findLinked(
  { prisma, db }: Parts,
  { realm_id }: RealmProjection,
  { person }: SignIn,
): Promise<FoundAccount | null> {
  const id = await findAccountIdByIdentity(db, realm_id, person)
  const account = id === null ? null : await findAccount(prisma, realm_id, id)
  if (!account) return null
  return account.isActive ? { kind: 'found', account } : { kind: 'deactivated', userId: account.id }
}

async function findByAddress(context: Parts, realm: RealmProjection, signIn: SignIn): Promise<FoundAccount> {
  const { prisma, db } = context
  const { realm_id: realmId } = realm
  const { person, log } = signIn
  const [primary] = person.addresses
  for (const address of [...person.addresses, ...person.deadAddresses]) {
    const existing = await findAccountByDeliveryEmail(prisma, realmId, foldEmail(address))
    if (!existing || existing.isBot) continue
    if (!existing.isActive) return { kind: 'deactivated', userId: existing.id }
    const { issuer, subject } = person
    if (!(await linkIdentity(db, existing, person))) {
      log.warn(
        { userId: existing.id, issuer, subject },
        'an account is linked with somebody else at a provider',
      )
      return { kind: 'taken', userId: existing.id }
    }
    const account = await findAccount(prisma, realmId, existing.id)
    if (account) return { kind: 'found', account }
  }
  return primary === undefined ? { kind: 'unverified' } : create(context, realm, signIn, primary)
}

async function create(
  context: Parts,
  realm: RealmProjection,
  { provider, person, wish, requestId }: SignIn,
  email: string,
): Promise<FoundAccount> {
  if (!wish.isSignUp && !provider.settings.auto_signup) return { kind: 'none', email }
  const created = await asOutcome(() =>
    admitVerifiedAddress(
      context,
      realm,
      { email, fullName: usableName(person, email), role: person.role, linkKey: wish.linkKey },
      async (tx, account) => void (await linkIdentity(tx, account, person)),
      requestId,
    ),
  )
  return created ?? { kind: 'refused', reason: 'Try again' }
}

/** Null if another request has created the account meanwhile. */
async function asOutcome(admit: () => Promise<Account | null>): Promise<FoundAccount | null> {
  try {
    const account = await admit()
    return account && { kind: 'found', account }
  } catch (err) {
    if (err instanceof AppError && err.code === 'AUTHENTICATION_FAILED')
      return { kind: 'refused', reason: err.message }
    throw err
  }
}

/** The provider's name; if it is none that names may be, the part of the address before the `@`. */
function usableName({ fullName }: Pick<ProvenPerson, 'fullName'>, email: string): string {
  try {
    return checkFullName(fullName ?? '')
  } catch (err) {
    if (err instanceof AppError) return email.slice(0, email.lastIndexOf('@'))
    throw err
  }
}

async function update(
  context: Parts,
  realm: RealmProjection,
  account: Account,
  { provider, person, requestId }: SignIn,
): Promise<void> {
  const said = { ...person, fullName: provider.settings.updates_name ? person.fullName : null }
  const change = await findDirectoryChange(context, account, said)
  await applyDirectoryChange(context, realm, account.id, change, requestId)
}
