import { AppError, badRequest, type endpoints, type RealmProjection } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { foldEmail, isEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail, isDeliveryEmailKnown } from '../kernel/credentials/credential.queries.ts'
import {
  claimPasswordAttempt,
  getSecondsToNextAttempt,
  withdrawPasswordAttempt,
} from '../kernel/credentials/password-attempts.queries.ts'
import { recordSignIn } from './record-sign-in.ts'

/**
 * Returns the API key for a correct password. The API defines the order of errors: NONEXISTENT_SUBDOMAIN,
 * BAD_REQUEST, RATE_LIMIT_HIT, NONEXISTENT_SUBDOMAIN for an account of another organization, REALM_DEACTIVATED,
 * USER_DEACTIVATED, AUTHENTICATION_FAILED.
 */
export const handleFetchApiKey: Handler<typeof endpoints.users.fetchApiKey, Context> = async ({
  input,
  context,
  host,
  userAgent,
  headers,
}) => {
  const { prisma, realms } = context
  const realm = await realms.findByHost(host)
  if (!realm) throw new AppError('NONEXISTENT_SUBDOMAIN')
  const username = foldEmail(input.username)
  if (!isEmail(username)) throw badRequest('The user name must be an e-mail address')
  await claimAttempt(context, realm.realm_id, username)

  const account = await findAccountByDeliveryEmail(prisma, realm.realm_id, username)
  if (!account && (await isDeliveryEmailKnown(prisma, username))) throw new AppError('NONEXISTENT_SUBDOMAIN')
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (account && !account.isActive) throw new AppError('USER_DEACTIVATED')
  const isRight = await matches(context, realm, username, account?.passwordHash ?? null, input.password)
  if (!account || !isRight) throw new AppError('AUTHENTICATION_FAILED')

  await recordSignIn(context, realm, account, { userAgent, address: headers['x-forwarded-for'] })
  return { api_key: account.apiKey, email: account.deliveryEmail, user_id: account.id }
}

async function claimAttempt(
  { db, passwordAttempts }: Pick<Context, 'db' | 'passwordAttempts'>,
  realmId: number,
  username: string,
): Promise<void> {
  if (await claimPasswordAttempt(db, realmId, username, passwordAttempts)) return
  const seconds = await getSecondsToNextAttempt(db, realmId, username, passwordAttempts)
  throw new AppError('RATE_LIMIT_HIT', { details: { 'retry-after': seconds } })
}

/** If the check is refused because too many wait, the attempt doesn't count: no password was tried. */
async function matches(
  { db, passwords }: Pick<Context, 'db' | 'passwords'>,
  { realm_id }: RealmProjection,
  username: string,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  try {
    return await passwords.matches(passwordHash, password)
  } catch (err) {
    await withdrawPasswordAttempt(db, realm_id, username)
    throw err
  }
}
