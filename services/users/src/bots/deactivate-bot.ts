import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { changePerson } from '../accounts/change-person.ts'
import type { Context } from '../context.ts'
import { lockManagedBot } from './lock-bot.ts'

/** Deactivates a bot: its key is refused from then on. Throws BAD_REQUEST (also when it is already) or UNAUTHORIZED_PRINCIPAL. */
export const handleDeactivateBot: Handler<typeof endpoints.users.deactivateBot, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await context.transact(async (tx) => {
    const { person } = await lockManagedBot(tx, caller, input.bot_user_id)
    if (!person.isActive) throw badRequest('The bot is already deactivated')
    await changePerson(tx, person, { isActive: false }, requestId)
  })
  return {}
}
