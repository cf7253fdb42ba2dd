import type { endpoints } from '@tms/contracts'
import { asTx, type Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../accounts/lock-own-account.ts'
import type { Context } from '../context.ts'
import { clearBotStorage, deleteBotStorage } from './bot-storage.queries.ts'
import { checkIsBot, noSuchKey, uniqueKeys } from './bot-storage.rules.ts'

/** Deletes what a bot has stored: all that it names, or nothing. Throws BAD_REQUEST as `handleGetBotStorage` does. */
export const handleRemoveBotStorage: Handler<typeof endpoints.users.removeBotStorage, Context> = async ({
  input,
  caller,
  context,
}) => {
  checkIsBot(caller)
  await context.transact(async (tx) => {
    const { id } = await lockActiveAccount(tx, caller)
    if (input.keys === undefined) return clearBotStorage(asTx(tx), id)
    const keys = uniqueKeys(input.keys)
    if ((await deleteBotStorage(asTx(tx), id, keys)) < keys.length) throw noSuchKey()
  })
  return {}
}
