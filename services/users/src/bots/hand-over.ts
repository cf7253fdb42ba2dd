import { internal } from '@tms/contracts'
import { asTx } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { toUserFacts } from '../accounts/user-facts.ts'
import type { Context, PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { replaceApiKey } from '../credentials/replace-api-key.ts'
import { findBotDetails, saveBotDetails } from './bot.queries.ts'
import { tellBot } from './tell-bot.ts'

/** Longer than messaging takes for it; too large keeps the caller waiting while messaging is down. */
const TIMEOUT_MS = 2_000

/**
 * Gives a bot that has another owner another key, and an outgoing webhook another token: who owned it before knows both.
 * The bot must be locked, and as it is in the database, with its new owner. Returns the key.
 */
export async function replaceBotCredentials(tx: PrismaTx, bot: Person, requestId: string): Promise<string> {
  const details = await findBotDetails(asTx(tx), bot.id)
  if (details && details.serviceToken !== null) {
    const after = { ...details, serviceToken: createApiKey() }
    await saveBotDetails(asTx(tx), bot.id, after)
    await tellBot(tx, { person: bot, details }, { person: bot, details: after }, requestId)
  }
  return replaceApiKey(tx, bot, requestId)
}

/**
 * Has messaging take from a bot what its new owner must not get by it, before the caller is answered. If that fails,
 * messaging does it when it receives the event of the change.
 */
export async function applyNewOwner(
  { call }: Pick<Context, 'call'>,
  bot: Person,
  requestId: string,
): Promise<void> {
  const options = { requestId, timeoutMs: TIMEOUT_MS }
  await call(internal.messaging.applyUserChange, { facts: toUserFacts(bot) }, options).catch(() => {})
}
