import { asTx } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { replaceApiKey } from '../credentials/replace-api-key.ts'
import { findBotDetails, saveBotDetails } from './bot.queries.ts'
import { publishBot } from './publish-bot.ts'

/**
 * Gives a bot that has another owner another key, and an outgoing webhook another token: who owned it before knows both.
 * The bot must be locked, and as it is in the database, with its new owner. Returns the key.
 */
export async function replaceBotCredentials(tx: PrismaTx, bot: Person, requestId: string): Promise<string> {
  const details = await findBotDetails(asTx(tx), bot.id)
  if (details && details.serviceToken !== null) {
    const after = { ...details, serviceToken: createApiKey() }
    await saveBotDetails(asTx(tx), bot.id, after)
    await publishBot(tx, { person: bot, details }, { person: bot, details: after }, requestId)
  }
  return replaceApiKey(tx, bot, requestId)
}
