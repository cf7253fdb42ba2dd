import { AppError, BotType, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { hashApiToken, hashLimitedApiToken, isApiToken } from '../kernel/credentials/api-token.ts'
import { findTokenHolder, saveLastUse } from './api-token.queries.ts'
import { isUseDue } from './api-token.rules.ts'

/**
 * Identifies the caller by an API token, and its API or delivery e-mail if that is sent too. Throws AUTHENTICATION_FAILED
 * for an unknown or expired token, else UNAUTHORIZED, both with the reason in the message, or REALM_DEACTIVATED.
 */
export const handleIdentifyToken: InternalHandler<typeof internal.users.identifyToken, Context> = async (
  { host, email, token, knows_channel_limits: knowsLimits = false },
  { db, realms, now },
) => {
  if (!isApiToken(token)) throw unauthorizedError('The API token is malformed')
  const realm = await realms.findByHost(host)
  if (!realm) throw unauthorizedError('There is no organization at this address')
  const found = await findTokenHolder(db, {
    hash: hashApiToken(token),
    limitedHash: knowsLimits ? hashLimitedApiToken(token) : null,
  })
  if (!found) throw endedError('The API token is invalid')
  // Only the holder of a token learns these reasons.
  if (found.realmId !== realm.realm_id) throw unauthorizedError('The account belongs to another organization')
  if (email !== null && !found.emails.includes(foldEmail(email)))
    throw unauthorizedError('The API token belongs to an account with another e-mail address')
  const at = now()
  const expiresInMs = found.expiresAt && found.expiresAt.getTime() - at.getTime()
  if (expiresInMs !== null && expiresInMs <= 0) throw endedError('The API token has expired')
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!found.isActive) throw unauthorizedError('The account is deactivated')
  if (isUseDue(found.lastUsedAt, at)) await saveLastUse(db, found.id, at)
  return {
    user_id: found.userId,
    realm_id: found.realmId,
    role: found.role,
    is_bot: found.isBot,
    is_incoming_webhook: found.botType === BotType.incomingWebhook,
    token_id: found.id,
    scopes: found.scopes,
    channel_ids: found.channelIds,
    expires_in_ms: expiresInMs,
  }
}

const unauthorizedError = (message: string): AppError => new AppError('UNAUTHORIZED', { message })
/** Gateways also refuse pending polls then. */
const endedError = (message: string): AppError => new AppError('AUTHENTICATION_FAILED', { message })
