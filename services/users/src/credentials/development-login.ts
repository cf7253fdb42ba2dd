import { AppError, badRequest, type endpoints, type RealmProjection, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { listUserRecordRows } from '../kernel/accounts/account-list.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { orRecordRefusal } from './record-refusal.ts'
import { recordSignIn } from './record-sign-in.ts'

/** The name in the audit log. */
const METHOD = 'development'

/** Returns any user's API key without a password, if an operator has enabled that; else throws BAD_REQUEST. */
export const handleDevFetchApiKey: Handler<typeof endpoints.users.devFetchApiKey, Context> = async ({
  input,
  context,
  host,
  userAgent,
  headers,
  requestId,
}) => {
  const realm = await getRealmForDevelopmentLogin(context, host)
  const email = foldEmail(input.username)
  const device = { userAgent, address: headers['x-forwarded-for'] }
  const attempt = { method: METHOD, address: device.address, email, requestId }
  const account = await orRecordRefusal(context, realm, attempt, () => getPerson(context, realm, email))
  await recordSignIn(context, realm, account, { method: METHOD, grants: 'api_key', device, requestId })
  return { api_key: account.apiKey, email: account.deliveryEmail, user_id: account.id }
}

async function getPerson({ prisma }: Pick<Context, 'prisma'>, realm: RealmProjection, email: string) {
  const account = await findAccountByDeliveryEmail(prisma, realm.realm_id, email)
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!account || account.isBot) throw new AppError('AUTHENTICATION_FAILED')
  if (!account.isActive) throw new AppError('USER_DEACTIVATED')
  return account
}

/** Users who can sign in without a password: administrators and others. */
export const handleDevListUsers: Handler<typeof endpoints.users.devListUsers, Context> = async ({
  context,
  host,
}) => {
  const { realm_id, url } = await getRealmForDevelopmentLogin(context, host)
  const accounts = (await listUserRecordRows(context.db, realm_id)).filter(
    ({ isActive, isBot }) => isActive && !isBot,
  )
  const toUsers = (hasRole: (role: number) => boolean) =>
    accounts
      .filter(({ role }) => hasRole(role))
      .map(({ deliveryEmail }) => ({ email: deliveryEmail, realm_url: url, realm_uri: url }))
  return {
    direct_admins: toUsers((role) => role <= Role.administrator),
    direct_users: toUsers((role) => role > Role.administrator),
  }
}

async function getRealmForDevelopmentLogin(
  { hasDevelopmentLogin, realms }: Pick<Context, 'hasDevelopmentLogin' | 'realms'>,
  host: string,
): Promise<RealmProjection> {
  if (!hasDevelopmentLogin) throw badRequest('Signing in without a password is not enabled on this server')
  const realm = await realms.findByHost(host)
  if (!realm) throw new AppError('NONEXISTENT_SUBDOMAIN')
  return realm
}
