import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { avatarUrlOf } from '../kernel/accounts/avatar.ts'
import { listBots } from '../kernel/bots/bot.queries.ts'
import { defaultsOf } from '../kernel/bots/bot-record.ts'
import type { Context } from '../kernel/context.ts'
import { checkMayUseBots } from './bot.rules.ts'

/** The caller's own active bots with their keys. Throws BAD_REQUEST for bots and guests. */
export const handleListBots: Handler<typeof endpoints.users.listBots, Context> = async ({
  caller,
  context,
}) => {
  checkMayUseBots(caller)
  const { realmId, userId } = caller
  const bots = await listBots(context.db, { realmId, ownerId: userId, role: null })
  return {
    bots: bots
      .filter(({ account }) => account.isActive)
      .map(({ account, details }) => ({
        user_id: account.id,
        username: account.email,
        full_name: account.fullName,
        api_key: details.apiKey,
        avatar_url: avatarUrlOf(account),
        ...defaultsOf(details),
      })),
  }
}
