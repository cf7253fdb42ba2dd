import { asTx } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { findBotDetails, saveApiKey } from '../bots/bot.queries.ts'
import { publishBot } from '../bots/publish-bot.ts'
import type { PrismaTx } from '../context.ts'
import { deletePushDevices } from '../push-devices/push-device.queries.ts'
import { createApiKey } from './api-key.ts'

/**
 * Gives an account another key and forgets its devices; of a bot those are told who manage it. The account must be
 * locked, and as it is in the database.
 */
export async function replaceApiKey(tx: PrismaTx, person: Person, requestId: string): Promise<string> {
  const apiKey = createApiKey()
  const details = person.isBot ? await findBotDetails(asTx(tx), person.id) : null
  await saveApiKey(asTx(tx), person.id, apiKey)
  await deletePushDevices(asTx(tx), person.id)
  if (details)
    await publishBot(tx, { person, details }, { person, details: { ...details, apiKey } }, requestId)
  return apiKey
}
