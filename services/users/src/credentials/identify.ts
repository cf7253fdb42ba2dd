import { AppError, BotType, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findAccountByApiKey, listAccountsByAnyEmail } from '../accounts/account.queries.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import type { Context } from '../context.ts'
import { isApiKey, isSameApiKey } from './api-key.ts'

/**
 * Whose credentials these are: the e-mail is the account's API or delivery e-mail, the key that account's.
 * Throws AUTHENTICATION_FAILED for a key that is nobody's, else UNAUTHORIZED, both with the reason in their message, or
 * REALM_DEACTIVATED.
 */
export const handleIdentify: InternalHandler<typeof internal.users.identify, Context> = async (
  { host, email, api_key },
  { prisma, realms },
) => {
  const apiKey = api_key.trim()
  if (!isApiKey(apiKey)) throw unauthorized('The API key is malformed')
  const realm = await realms.findByHost(host)
  if (!realm) throw unauthorized('There is no organization at this address')

  // Two accounts at most: one by its API e-mail, another by its delivery e-mail.
  const candidates = await listAccountsByAnyEmail(prisma, realm.realm_id, foldEmail(email))
  const account = candidates.find((candidate) => isSameApiKey(candidate.apiKey, apiKey))
  if (!account) throw await refusalOf(prisma, realm.realm_id, apiKey)
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!account.isActive) throw unauthorized('The account is deactivated')
  return {
    user_id: account.id,
    realm_id: realm.realm_id,
    role: account.role,
    is_bot: account.isBot,
    is_incoming_webhook: account.botType === BotType.incomingWebhook,
  }
}

/** Only who has a valid key learns more than that it's wrong. */
async function refusalOf(prisma: Context['prisma'], realmId: number, apiKey: string): Promise<AppError> {
  const owner = await findAccountByApiKey(prisma, apiKey)
  if (!owner) return new AppError('AUTHENTICATION_FAILED', { message: 'The API key is invalid' })
  return owner.realmId === realmId
    ? unauthorized('The API key belongs to an account with another e-mail address')
    : unauthorized('The account belongs to another organization')
}

const unauthorized = (message: string): AppError => new AppError('UNAUTHORIZED', { message })
