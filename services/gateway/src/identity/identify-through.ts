import { AppError, internal } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import { type Credentials, isToken } from './credentials.rules.ts'
import type { IdentifiedCaller } from './identities.ts'

/** Identifies callers through the users service. Rejects with its error, or SERVICE_UNAVAILABLE. */
export function identifyThrough(
  call: InternalClient,
  now: () => number,
): (credentials: Credentials & { readonly host: string }, requestId: string) => Promise<IdentifiedCaller> {
  return async ({ host, email, secret }, requestId) => {
    if (!isToken({ email, secret })) {
      const found = await call(internal.users.identify, { host, email, api_key: secret }, { requestId })
      const { caller, mayOnlySendMessages } = callerOf(found)
      const { key_id: keyId } = found
      return {
        caller: keyId === undefined ? caller : { ...caller, keyId },
        mayOnlySendMessages,
        apiToken: null,
      }
    }
    const askedAt = now()
    const body = { host, email, token: secret, knows_channel_limits: true }
    const found = await call(internal.users.identifyToken, body, { requestId })
    checkLimit(found)
    const { caller, mayOnlySendMessages } = callerOf(found)
    const { scopes, channel_ids: channelIds, expires_in_ms: lifeMs } = found
    return {
      caller: { ...caller, tokenId: found.token_id, ...(channelIds === null ? {} : { channelIds }) },
      mayOnlySendMessages,
      // Counted from the question, so that it expires here no later than there.
      apiToken: { scopes, expiresAt: lifeMs === null ? null : askedAt + lifeMs },
    }
  }
}

/** Throws SERVICE_UNAVAILABLE for an answer that doesn't say to which channels the token is limited: it might be. */
function checkLimit({ channel_ids: limit }: { readonly channel_ids?: unknown }): void {
  if (limit !== null && !Array.isArray(limit))
    throw new AppError('SERVICE_UNAVAILABLE', { message: 'The channels of the API token are unknown' })
}

interface Found {
  readonly user_id: number
  readonly realm_id: number
  readonly role: number
  readonly is_bot: boolean
  readonly is_incoming_webhook: boolean
}

const callerOf = ({ user_id, realm_id, role, is_bot, is_incoming_webhook }: Found) => ({
  caller: { userId: user_id, realmId: realm_id, role, isBot: is_bot },
  mayOnlySendMessages: is_incoming_webhook,
})
