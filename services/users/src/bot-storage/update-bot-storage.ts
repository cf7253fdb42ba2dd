import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { measureBotStorage, saveBotStorage } from './bot-storage.queries.ts'
import { checkFits, checkIsBot, checkKeys } from './bot-storage.rules.ts'

/** Stores the sent entries, all or nothing. Throws BAD_REQUEST for human users, and if a limit is exceeded. */
export const handleUpdateBotStorage: Handler<typeof endpoints.users.updateBotStorage, Context> = async ({
  input: { storage },
  caller,
  context,
}) => {
  checkIsBot(caller)
  checkKeys(Object.keys(storage))
  await context.transact(async (tx) => {
    const { id } = await lockActiveAccount(tx, caller)
    await saveBotStorage(tx, id, storage)
    checkFits(await measureBotStorage(tx, id))
  })
  return {}
}
