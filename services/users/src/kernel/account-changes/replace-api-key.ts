import { domainEvents } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import { findBotDetails } from '../bots/bot.queries.ts'
import { publishBot } from '../bots/publish-bot.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { saveApiKey } from '../credentials/credential.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { removeClientDevices } from '../pushes/publish-client-devices.ts'
import { deleteApiTokens, deletePushDevices, deleteReplyAddresses } from './ended-rights.queries.ts'

/**
 * Replaces an account's key and deletes its devices, tokens and addresses for replies, which who knew the key may have made or read; for a bot, publishes the key to its managers. `account` must be
 * locked and current.
 */
export async function replaceApiKey(tx: PrismaTx, account: Account, requestId: string): Promise<string> {
  const apiKey = createApiKey()
  const details = account.isBot ? await findBotDetails(tx, account.id) : null
  await saveApiKey(tx, account.id, apiKey)
  await deletePushDevices(tx, account.id)
  await removeClientDevices(tx, account, requestId)
  await deleteApiTokens(tx, account.id)
  await deleteReplyAddresses(tx, account.id)
  const payload = { user_id: account.id, credential: 'api_key' } as const
  const cause = { realmId: account.realmId, requestId }
  await publish(tx, domainEvents.users.credentialReplaced, payload, cause)
  if (details)
    await publishBot(tx, { account, details }, { account, details: { ...details, apiKey } }, requestId)
  return apiKey
}
