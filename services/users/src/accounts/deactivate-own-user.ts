import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { refreshNamedUsers } from '../kernel/realms/refresh-named-users.ts'
import { countOtherOwners, countOtherUsers } from './administration.queries.ts'
import { isLastOwner } from './administration.rules.ts'
import { beginAdministration } from './begin-administration.ts'
import { deactivateAccount } from './deactivate-account.ts'

/** Deactivates the calling user. Throws CANNOT_DEACTIVATE_LAST_USER for the last owner or the last user. */
export const handleDeactivateOwnUser: Handler<typeof endpoints.users.deactivateOwnUser, Context> = async ({
  caller,
  context,
  requestId,
  log,
}) => {
  if (caller.isBot) throw badRequest('Bots cannot deactivate themselves')
  await context.transact(async (tx) => {
    await lockGroups(tx, caller.realmId)
    const { target: own } = await beginAdministration(tx, caller, caller.userId)
    if (isLastOwner(own, await countOtherOwners(tx, own.realmId, own.id))) throw lastAccountError(true)
    if ((await countOtherUsers(tx, own.realmId, own.id)) === 0) throw lastAccountError(false)
    await deactivateAccount(tx, own, requestId)
  })
  await refreshNamedUsers(context, caller.realmId, { log, requestId })
  return {}
}

function lastAccountError(isLastOwner: boolean): AppError {
  const entity = isLastOwner ? 'organization owner' : 'user'
  return new AppError('CANNOT_DEACTIVATE_LAST_USER', {
    message: `You are the only ${entity} left`,
    details: { is_last_owner: isLastOwner, entity },
  })
}
