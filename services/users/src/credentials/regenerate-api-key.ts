import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { replaceApiKey } from '../kernel/account-changes/replace-api-key.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'

/**
 * Replaces the caller's API key, also of a bot; the old one is refused from the answer on. Registered devices and API
 * tokens are deleted, except those made with the new key meanwhile.
 */
export const handleRegenerateApiKey: Handler<typeof endpoints.users.regenerateApiKey, Context> = async ({
  caller,
  context,
  requestId,
}) => {
  const apiKey = await context.transact(async (tx) =>
    replaceApiKey(tx, await lockOwnAccount(tx, caller), requestId),
  )
  return { api_key: apiKey }
}
