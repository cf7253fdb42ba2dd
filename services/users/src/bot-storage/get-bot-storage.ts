import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findBotStorage, listBotStorage } from './bot-storage.queries.ts'
import { checkIsBot, noSuchKeyError, uniqueKeys } from './bot-storage.rules.ts'

/** Entries of the calling bot. Throws BAD_REQUEST for human users and unknown keys. */
export const handleGetBotStorage: Handler<typeof endpoints.users.getBotStorage, Context> = async ({
  input,
  caller,
  context,
}) => {
  checkIsBot(caller)
  if (input.keys === undefined) return { storage: await listBotStorage(context.db, caller.userId) }
  const keys = uniqueKeys(input.keys)
  const storage = await findBotStorage(context.db, caller.userId, keys)
  if (Object.keys(storage).length < keys.length) throw noSuchKeyError()
  return { storage }
}
