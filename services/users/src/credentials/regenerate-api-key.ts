import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { checkMayUseBots } from '../bots/bot.rules.ts'
import { lockManagedBot } from '../bots/lock-bot.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { replaceApiKey } from './replace-api-key.ts'

/**
 * Replaces the caller's API key, also of a bot; the old one is refused from the answer on. Registered devices are
 * deleted, except one registered with the new key meanwhile.
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

/** The same for a bot that the caller manages. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export const handleRegenerateBotApiKey: Handler<
  typeof endpoints.users.regenerateBotApiKey,
  Context
> = async ({ input, caller, context, requestId }) => {
  checkMayUseBots(caller)
  const apiKey = await context.transact(async (tx) => {
    const { account } = await lockManagedBot(tx, caller, input.bot_user_id)
    return replaceApiKey(tx, account, requestId)
  })
  return { api_key: apiKey }
}
