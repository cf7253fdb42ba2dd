import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { replaceApiKey } from '../kernel/account-changes/replace-api-key.ts'
import type { Context } from '../kernel/context.ts'
import { checkMayUseBots } from './bot.rules.ts'
import { lockManagedBot } from './lock-bot.ts'

/**
 * Replaces the key of a bot that the caller manages, like one's own. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
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
