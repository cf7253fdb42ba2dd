import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import type { Context } from '../kernel/context.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { refreshNamedUsers } from '../kernel/realms/refresh-named-users.ts'
import { lockManagedBot } from './lock-bot.ts'

/**
 * Deactivates a bot; its key is refused from then on. Throws BAD_REQUEST (also if it is inactive) or
 * UNAUTHORIZED_PRINCIPAL.
 */
export const handleDeactivateBot: Handler<typeof endpoints.users.deactivateBot, Context> = async ({
  input,
  caller,
  context,
  requestId,
  log,
}) => {
  await context.transact(async (tx) => {
    await lockGroups(tx, caller.realmId)
    const { account } = await lockManagedBot(tx, caller, input.bot_user_id)
    if (!account.isActive) throw badRequest('The bot is already deactivated')
    await changeAccount(tx, account, { isActive: false }, requestId)
  })
  await refreshNamedUsers(context, caller.realmId, { log, requestId })
  return {}
}
