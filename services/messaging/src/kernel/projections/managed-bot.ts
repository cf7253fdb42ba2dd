import { AppError, badRequest, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { KnownUser } from './projection-reader.ts'

/** A bot that the caller owns or administers. Throws NO_SUCH_OBJECT if there is none, BAD_REQUEST for another's. */
export async function getManagedBot(
  { projections }: Context,
  { userId, realmId, role }: Caller,
  botId: number,
): Promise<KnownUser> {
  const bot = (await projections.findUsersByIds(realmId, [botId])).get(botId)
  if (!bot?.is_bot) throw new AppError('NO_SUCH_OBJECT', { message: 'No such bot' })
  if (bot.bot_owner_id !== userId && role > Role.administrator) throw badRequest('Insufficient permission')
  return bot
}
