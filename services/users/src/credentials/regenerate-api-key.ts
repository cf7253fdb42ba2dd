import type { endpoints } from '@tms/contracts'
import { asTx, type Handler } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { lockOwnAccount } from '../accounts/lock-own-account.ts'
import { findBotDetails, saveApiKey } from '../bots/bot.queries.ts'
import { checkKeepsBots } from '../bots/bot.rules.ts'
import { lockManagedBot } from '../bots/lock-bot.ts'
import { tellBot } from '../bots/tell-bot.ts'
import type { Context, PrismaTx } from '../context.ts'
import { deletePushDevices } from '../push-devices/push-device.queries.ts'
import { createApiKey } from './api-key.ts'

/** Gives the caller, who may be a bot, another API key; the present one is refused within a second. Devices are forgotten, but for one that registers with it in that second. */
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
  checkKeepsBots(caller)
  const apiKey = await context.transact(async (tx) => {
    const { person } = await lockManagedBot(tx, caller, input.bot_user_id)
    return replaceApiKey(tx, person, requestId)
  })
  return { api_key: apiKey }
}

async function replaceApiKey(tx: PrismaTx, person: Person, requestId: string): Promise<string> {
  const apiKey = createApiKey()
  const details = person.isBot ? await findBotDetails(asTx(tx), person.id) : null
  await saveApiKey(asTx(tx), person.id, apiKey)
  await deletePushDevices(asTx(tx), person.id)
  if (details) await tellBot(tx, { person, details }, { person, details: { ...details, apiKey } }, requestId)
  return apiKey
}
