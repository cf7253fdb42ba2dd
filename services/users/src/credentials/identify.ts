import { AppError, BotType, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { isApiKey, isSameApiKey, keyIdOf } from '../kernel/credentials/api-key.ts'
import {
  findAccountByApiKey,
  listAccountsByAnyEmail,
  listAccountsByApiKey,
} from '../kernel/credentials/credential.queries.ts'

/**
 * Identifies the caller by API or delivery e-mail and API key, or by the key alone. Throws AUTHENTICATION_FAILED for an unknown key, else
 * UNAUTHORIZED, both with the reason in the message, or REALM_DEACTIVATED.
 */
export const handleIdentify: InternalHandler<typeof internal.users.identify, Context> = async (
  { host, email, api_key },
  { prisma, realms },
) => {
  const apiKey = api_key.trim()
  if (!isApiKey(apiKey)) throw unauthorizedError('The API key is malformed')
  const realm = await realms.findByHost(host)
  if (!realm) throw unauthorizedError('There is no organization at this address')

  // By e-mail at most two accounts: one by its API e-mail, one by its delivery e-mail.
  const candidates =
    email === null
      ? await listAccountsByApiKey(prisma, realm.realm_id, apiKey)
      : await listAccountsByAnyEmail(prisma, realm.realm_id, foldEmail(email))
  const account = candidates.find((candidate) => isSameApiKey(candidate.apiKey, apiKey))
  if (!account) throw await findIdentifyError(prisma, realm.realm_id, apiKey)
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!account.isActive) throw unauthorizedError('The account is deactivated')
  return {
    user_id: account.id,
    realm_id: realm.realm_id,
    role: account.role,
    is_bot: account.isBot,
    is_incoming_webhook: account.botType === BotType.incomingWebhook,
    key_id: keyIdOf(apiKey),
  }
}

/** Only the holder of a valid key learns the reason. */
async function findIdentifyError(
  prisma: Context['prisma'],
  realmId: number,
  apiKey: string,
): Promise<AppError> {
  const owner = await findAccountByApiKey(prisma, apiKey)
  if (!owner) return new AppError('AUTHENTICATION_FAILED', { message: 'The API key is invalid' })
  return owner.realmId === realmId
    ? unauthorizedError('The API key belongs to an account with another e-mail address')
    : unauthorizedError('The account belongs to another organization')
}

const unauthorizedError = (message: string): AppError => new AppError('UNAUTHORIZED', { message })
