import { AppError, badRequest, type endpoints, type RealmProjection, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findAccountByDeliveryEmail } from '../accounts/account.queries.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import { listPeople } from '../accounts/people.queries.ts'
import type { Context } from '../context.ts'

/** Gives anyone's API key to whoever asks, where an operator has switched that on; BAD_REQUEST elsewhere. */
export const handleDevFetchApiKey: Handler<typeof endpoints.users.devFetchApiKey, Context> = async ({
  input,
  context,
  host,
}) => {
  const realm = await getRealmOfDevelopers(context, host)
  const account = await findAccountByDeliveryEmail(context.prisma, realm.realm_id, foldEmail(input.username))
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!account || account.isBot) throw new AppError('AUTHENTICATION_FAILED')
  if (!account.isActive) throw new AppError('USER_DEACTIVATED')
  return { api_key: account.apiKey, email: account.deliveryEmail, user_id: account.id }
}

/** Who can sign in like that: people who administer the organization, and the others. */
export const handleDevListUsers: Handler<typeof endpoints.users.devListUsers, Context> = async ({
  context,
  host,
}) => {
  const { realm_id, url } = await getRealmOfDevelopers(context, host)
  const people = (await listPeople(context.db, realm_id)).filter(({ isActive, isBot }) => isActive && !isBot)
  const told = (isTold: (role: number) => boolean) =>
    people
      .filter(({ role }) => isTold(role))
      .map(({ deliveryEmail }) => ({ email: deliveryEmail, realm_url: url, realm_uri: url }))
  return {
    direct_admins: told((role) => role <= Role.administrator),
    direct_users: told((role) => role > Role.administrator),
  }
}

async function getRealmOfDevelopers(
  { hasDevelopmentLogin, realms }: Pick<Context, 'hasDevelopmentLogin' | 'realms'>,
  host: string,
): Promise<RealmProjection> {
  if (!hasDevelopmentLogin) throw badRequest('Signing in without a password is not enabled on this server')
  const realm = await realms.findByHost(host)
  if (!realm) throw new AppError('NONEXISTENT_SUBDOMAIN')
  return realm
}
