import { AppError, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { signInByPassword } from './sign-in-by-password.ts'

/** Returns the API key for a correct password. Throws NONEXISTENT_SUBDOMAIN, and what `signInByPassword` throws. */
export const handleFetchApiKey: Handler<typeof endpoints.users.fetchApiKey, DirectoryContext> = async ({
  input: { username, password },
  context,
  host,
  userAgent,
  headers,
  requestId,
  log,
}) => {
  const realm = await context.realms.findByHost(host)
  if (!realm) throw new AppError('NONEXISTENT_SUBDOMAIN')
  const device = { userAgent, address: headers['x-forwarded-for'] }
  const entered = { username, password, device, requestId, log, grants: 'api_key' } as const
  const account = await signInByPassword(context, realm, entered)
  return { api_key: account.apiKey, email: account.deliveryEmail, user_id: account.id }
}
