import { replaceApiKey } from '../kernel/account-changes/replace-api-key.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { findBotDetails, saveBotDetails } from '../kernel/bots/bot.queries.ts'
import { publishBot } from '../kernel/bots/publish-bot.ts'
import { createApiKey } from '../kernel/credentials/api-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'

/**
 * Gives a bot with a new owner a new key, and an outgoing webhook a new token: the former owner knows the old ones.
 * `bot` must be locked and have the new owner. Returns the key.
 */
export async function replaceBotCredentials(tx: PrismaTx, bot: Account, requestId: string): Promise<string> {
  const details = await findBotDetails(tx, bot.id)
  if (details && details.serviceToken !== null) {
    const after = { ...details, serviceToken: createApiKey() }
    await saveBotDetails(tx, bot.id, after)
    await publishBot(tx, { account: bot, details }, { account: bot, details: after }, requestId)
  }
  return replaceApiKey(tx, bot, requestId)
}
