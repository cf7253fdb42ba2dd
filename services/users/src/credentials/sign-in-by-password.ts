import { AppError, badRequest, type RealmProjection, takesPasswords } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import { findDirectoryOf } from '../directory/directory-account.queries.ts'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { isUserName } from '../directory/directory-names.rules.ts'
import { type DirectorySignIn, directoryOf, signInByDirectory } from '../directory/sign-in-by-directory.ts'
import { foldEmail, isEmail } from '../kernel/addresses/email-address.rules.ts'
import {
  findAccountByDeliveryEmail,
  findCredentials,
  isDeliveryEmailKnown,
} from '../kernel/credentials/credential.queries.ts'
import {
  claimPasswordAttempt,
  deletePasswordAttempts,
  getSecondsToNextAttempt,
  withdrawPasswordAttempt,
} from '../kernel/credentials/password-attempts.queries.ts'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { orRecordRefusal } from './record-refusal.ts'
import { recordSignIn, type SignInRequest } from './record-sign-in.ts'

type Credentials = NonNullable<Awaited<ReturnType<typeof findCredentials>>>

/** A user name and a password, and the request that they came with. */
interface EnteredPassword {
  readonly username: string
  readonly password: string
  readonly requestId: string
  readonly log: Logger
}

interface Request {
  readonly context: DirectoryContext
  readonly input: EnteredPassword
}

/** Signs in by a password, with a mail to the user. Throws what `checkPassword` throws. */
export async function signInByPassword(
  context: DirectoryContext,
  realm: RealmProjection,
  { device, grants, ...entered }: EnteredPassword & Pick<SignInRequest, 'device' | 'grants'>,
): Promise<Credentials> {
  const { requestId, username } = entered
  const attempt = { method: 'password', address: device.address, email: foldEmail(username), requestId }
  const account = await orRecordRefusal(context, realm, attempt, () => checkPassword(context, realm, entered))
  await recordSignIn(context, realm, account, { method: 'password', grants, device, requestId })
  return account
}

/**
 * The account of a correct password: the directory's if it knows the user name, else the one that is stored here. The
 * API defines the order of errors: BAD_REQUEST, RATE_LIMIT_HIT, PASSWORD_AUTH_DISABLED, NONEXISTENT_SUBDOMAIN for an
 * account of another organization, REALM_DEACTIVATED, USER_DEACTIVATED, AUTHENTICATION_FAILED. SERVICE_UNAVAILABLE if
 * the directory doesn't answer.
 */
export async function checkPassword(
  context: DirectoryContext,
  realm: RealmProjection,
  input: EnteredPassword,
): Promise<Credentials> {
  const methods = methodsOf(context, realm)
  const username = foldEmail(input.username)
  if (!methods.includes('LDAP')) {
    if (!isEmail(username)) throw badRequest('The user name must be an e-mail address')
  } else if (!isUserName(username)) throw new AppError('AUTHENTICATION_FAILED')
  const attempts = new Attempts(context, realm.realm_id)
  await attempts.claim(username)
  if (!takesPasswords(methods)) throw new AppError('PASSWORD_AUTH_DISABLED')

  const account = await signIn({ context, input }, realm, username, attempts)
  await attempts.forget()
  return account
}

async function signIn(
  request: Request,
  realm: RealmProjection,
  username: string,
  attempts: Attempts,
): Promise<Credentials> {
  const { context, input } = request
  const methods = methodsOf(context, realm)
  const takesStored = methods.includes('Email')
  const usesDirectory = methods.includes('LDAP')
  if (usesDirectory && !realm.is_active) throw new AppError('REALM_DEACTIVATED')
  const { answer, failure } = usesDirectory
    ? await askDirectory(request, realm, username, attempts)
    : { answer: null, failure: null }
  if (answer?.kind === 'right') {
    const account = await findCredentials(context.prisma, realm.realm_id, answer.account.id)
    if (account?.isActive) return account
  }
  if (answer?.kind === 'wrong' || !takesStored) {
    if (failure) throw await attempts.withdraw(failure)
    // As slow as for a stored password, so that the time doesn't reveal whose is stored where.
    await attempts.orWithdraw(() => context.passwords.matches(null, input.password))
    throw new AppError('AUTHENTICATION_FAILED')
  }
  return checkStored({ request, realm, username, attempts, usesDirectory, failure })
}

/** The directory's answer, or its failure. */
async function askDirectory(
  { context, input }: Request,
  realm: RealmProjection,
  username: string,
  attempts: Attempts,
): Promise<{ answer: DirectorySignIn | null; failure: AppError | null }> {
  const directory = directoryOf(context, realm)
  if (!directory) return { answer: null, failure: null }
  const attempt = {
    // Directories decide about case.
    username: input.username.trim(),
    password: input.password,
    claimAttempt: (email: string) => attempts.claim(email),
    requestId: input.requestId,
    log: input.log,
  }
  try {
    return { answer: await signInByDirectory(context, realm, directory, attempt), failure: null }
  } catch (err) {
    if (!(err instanceof AppError) || err.code !== 'SERVICE_UNAVAILABLE') throw err
    // Too many ask at once: the directory itself answers, so nothing else may decide.
    if (err.cause === undefined) throw await attempts.withdraw(err)
    input.log.warn({ err }, 'a directory could not verify a password')
    return { answer: null, failure: err }
  }
}

/**
 * Compares the password with the one that is stored. Users of a directory have none that counts. While the directory
 * doesn't answer, nobody learns more than that, except users of stored passwords.
 */
async function checkStored({
  request: { context, input },
  realm,
  username,
  attempts,
  usesDirectory,
  failure,
}: {
  readonly request: Request
  readonly realm: RealmProjection
  readonly username: string
  readonly attempts: Attempts
  readonly usesDirectory: boolean
  readonly failure: AppError | null
}): Promise<Credentials> {
  const { prisma, passwords } = context
  const account = isEmail(username)
    ? await findAccountByDeliveryEmail(prisma, realm.realm_id, username)
    : null
  const isOfDirectory = account && usesDirectory && (await findDirectoryOf(prisma, account.id)) !== null
  if (failure && (!account || isOfDirectory)) throw await attempts.withdraw(failure)
  if (!account && (await isDeliveryEmailKnown(prisma, username))) throw new AppError('NONEXISTENT_SUBDOMAIN')
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (account && !account.isActive) throw new AppError('USER_DEACTIVATED')
  const hash = isOfDirectory ? null : (account?.passwordHash ?? null)
  const isRight = await attempts.orWithdraw(() => passwords.matches(hash, input.password))
  if (account && isRight) return account
  throw failure ?? new AppError('AUTHENTICATION_FAILED')
}

/** The attempts that a request counts, by user name and by the address that it leads to. */
class Attempts {
  readonly #context: Pick<DirectoryContext, 'db' | 'passwordAttempts'>
  readonly #realmId: number
  readonly #claimed = new Set<string>()

  constructor(context: Pick<DirectoryContext, 'db' | 'passwordAttempts'>, realmId: number) {
    this.#context = context
    this.#realmId = realmId
  }

  /** Throws RATE_LIMIT_HIT. */
  async claim(name: string): Promise<void> {
    const { db, passwordAttempts } = this.#context
    if (this.#claimed.has(name)) return
    if (!(await claimPasswordAttempt(db, this.#realmId, name, passwordAttempts))) {
      const seconds = await getSecondsToNextAttempt(db, this.#realmId, name, passwordAttempts)
      throw new AppError('RATE_LIMIT_HIT', { details: { 'retry-after': seconds } })
    }
    this.#claimed.add(name)
  }

  /** After a correct password. */
  async forget(): Promise<void> {
    for (const name of this.#claimed) await deletePasswordAttempts(this.#context.db, this.#realmId, name)
  }

  /** The error, of a request whose password wasn't tried. */
  async withdraw<E>(error: E): Promise<E> {
    for (const name of this.#claimed) await withdrawPasswordAttempt(this.#context.db, this.#realmId, name)
    return error
  }

  /** If the check is refused because too many wait, the attempt doesn't count: no password was tried. */
  async orWithdraw<T>(check: () => Promise<T>): Promise<T> {
    try {
      return await check()
    } catch (err) {
      throw await this.withdraw(err)
    }
  }
}
