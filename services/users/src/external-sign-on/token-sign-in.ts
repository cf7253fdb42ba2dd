import {
  AppError,
  badRequest,
  type endpoints,
  type RealmProjection,
  type UserWithActivity,
} from '@tms/contracts'
import type { Handler, Logger, Request } from '@tms/service-kit'
import { orRecordRefusal } from '../credentials/record-refusal.ts'
import { recordSignIn } from '../credentials/record-sign-in.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { toUserWithActivity } from '../kernel/accounts/user-record.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { realmOf } from '../pages/page-request.ts'
import { signInHere } from './sign-in-here.ts'
import type { SignOnContext } from './sign-on-context.ts'
import type { VerifiedToken } from './token-issuer.ts'

const METHOD = { id: 'jwt', displayName: 'a token' }

interface TokenRequest {
  readonly context: SignOnContext
  readonly input: { readonly token?: string | undefined }
  readonly log: Logger
}

/** Takes a token that another site of the organization sends by the browser. */
export const handleSubmitToken: Handler<typeof endpoints.users.submitToken, SignOnContext> = async (
  request,
) => {
  const { context } = request
  const realm = await realmOf(request)
  const person = await orRecordRefusal(context, realm, attemptOf(request, ''), () =>
    takeToken(request, realm),
  )
  return signInHere({ request, realm, method: METHOD, person, wish: { isSignUp: false } })
}

/** The API key of an existing account. Throws what the password's way throws, and BAD_REQUEST for a wrong token. */
export const handleFetchApiKeyByToken: Handler<
  typeof endpoints.users.fetchApiKeyByToken,
  SignOnContext
> = async (request) => {
  const { context, input, userAgent, headers, requestId } = request
  const realm = await context.realms.findByHost(request.host)
  if (!realm) throw new AppError('NONEXISTENT_SUBDOMAIN')
  const { email } = await orRecordRefusal(context, realm, attemptOf(request, ''), () =>
    takeToken(request, realm),
  )
  const known = await orRecordRefusal(context, realm, attemptOf(request, foldEmail(email)), () =>
    getActiveAccount(context, realm, email),
  )
  const device = { userAgent, address: headers['x-forwarded-for'] }
  await recordSignIn(context, realm, known, { method: METHOD.id, grants: 'api_key', device, requestId })
  const account = input.include_profile ? await findAccount(context.prisma, realm.realm_id, known.id) : null
  return {
    ...{ api_key: known.apiKey, email: known.deliveryEmail },
    ...(account && { user: ownRecordOf(account) }),
  }
}

/** The account that a token names. Throws REALM_DEACTIVATED, AUTHENTICATION_FAILED, USER_DEACTIVATED. */
async function getActiveAccount({ prisma }: SignOnContext, realm: RealmProjection, email: string) {
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  const known = await findAccountByDeliveryEmail(prisma, realm.realm_id, foldEmail(email))
  if (!known || known.isBot) throw new AppError('AUTHENTICATION_FAILED')
  if (!known.isActive) throw new AppError('USER_DEACTIVATED')
  return known
}

/** What is recorded of a token that is refused. */
const attemptOf = (
  { headers, requestId }: Pick<Request<unknown, unknown>, 'headers' | 'requestId'>,
  email: string,
) => ({ method: METHOD.id, address: headers['x-forwarded-for'], email, requestId })

/** Verifies a token, which counts once. Throws BAD_REQUEST. */
async function takeToken(
  { context, input, log }: TokenRequest,
  realm: RealmProjection,
): Promise<VerifiedToken> {
  const issuer = context.tokenIssuers.get(realm.string_id)
  if (!issuer) throw badRequest(`${realm.name} takes no tokens`)
  if (!input.token) throw badRequest('The token is missing')
  const verified = await issuer.verify(input.token, realm, context.now()).catch((err: unknown) => {
    log.warn({ err, realmId: realm.realm_id }, 'a token to sign in with was refused')
    throw badRequest('The token is wrong, or too old')
  })
  if (!(await context.oneTime.claim(`token ${verified.id}`, verified.seconds)))
    throw badRequest('The token has been used already')
  return verified
}

const ownRecordOf = (account: Account): UserWithActivity =>
  toUserWithActivity(account, {
    viewer: { userId: account.id, role: account.role },
    clientGravatar: false,
    profileFields: null,
  })
