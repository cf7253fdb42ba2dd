import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { clearBotStorage, deleteBotStorage } from './bot-storage.queries.ts'
import { checkIsBot, noSuchKeyError, uniqueKeys } from './bot-storage.rules.ts'

/** Deletes entries of the calling bot, all or nothing. Throws BAD_REQUEST for human users and unknown keys. */
export const handleRemoveBotStorage: Handler<typeof endpoints.users.removeBotStorage, Context> = async ({
  input,
  caller,
  context,
}) => {
  checkIsBot(caller)
  await context.transact(async (tx) => {
    const { id } = await lockActiveAccount(tx, caller)
    if (input.keys === undefined) return clearBotStorage(tx, id)
    const keys = uniqueKeys(input.keys)
    if ((await deleteBotStorage(tx, id, keys)) < keys.length) throw noSuchKeyError()
  })
  return {}
}
