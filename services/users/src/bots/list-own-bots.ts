import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { avatarUrlOf } from '../accounts/avatar.ts'
import type { Context } from '../context.ts'
import { listBots } from './bot.queries.ts'
import { checkKeepsBots } from './bot.rules.ts'
import { defaultsOf } from './bot-record.ts'

/** The caller's own active bots with their keys. Throws BAD_REQUEST for bots and guests. */
export const handleListBots: Handler<typeof endpoints.users.listBots, Context> = async ({
  caller,
  context,
}) => {
  checkKeepsBots(caller)
  const { realmId, userId } = caller
  const bots = await listBots(context.db, { realmId, ownerId: userId, role: null })
  return {
    bots: bots
      .filter(({ person }) => person.isActive)
      .map(({ person, details }) => ({
        user_id: person.id,
        username: person.email,
        full_name: person.fullName,
        api_key: details.apiKey,
        avatar_url: avatarUrlOf(person),
        ...defaultsOf(details),
      })),
  }
}
