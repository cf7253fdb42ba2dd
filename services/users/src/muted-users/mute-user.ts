import { badRequest, domainEvents, type endpoints, type MutedUser } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { findAccount, updateAccount } from '../kernel/accounts/account.queries.ts'
import { mutedUsersOf } from '../kernel/accounts/json-columns.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import type { Context } from '../kernel/context.ts'
import { canSeeUser } from '../kernel/guest-visibility/user-visibility.ts'
import { publish } from '../kernel/publish.ts'
import { addMuted, removeMuted } from './muted-users.rules.ts'

/**
 * Mutes a user; bots and deactivated users can be muted. Throws BAD_REQUEST for oneself, an unknown or invisible
 * user, and one who is muted already.
 */
export const handleMuteUser: Handler<typeof endpoints.users.muteUser, Context> = async ({
  input: { muted_user_id: id },
  caller,
  context,
  requestId,
}) => {
  if (id === caller.userId) throw badRequest('You can’t mute yourself')
  const account = await findAccount(context.prisma, caller.realmId, id)
  if (!account || !(await canSeeUser(context.db, caller, account))) throw badRequest('No such user')
  const now = context.now()
  await change(context, caller, requestId, id, (muted) => addMuted(muted, id, now))
  return {}
}

/** Unmutes a user. Throws BAD_REQUEST if the user isn't muted. */
export const handleUnmuteUser: Handler<typeof endpoints.users.unmuteUser, Context> = async ({
  input: { muted_user_id: id },
  caller,
  context,
  requestId,
}) => {
  await change(context, caller, requestId, null, (muted) => removeMuted(muted, id))
  return {}
}

function change(
  { transact }: Context,
  caller: Caller,
  requestId: string,
  newlyMutedUserId: number | null,
  decide: (muted: readonly MutedUser[]) => MutedUser[],
): Promise<void> {
  return transact(async (tx) => {
    const own = await lockOwnAccount(tx, caller)
    const mutedUsers = decide(mutedUsersOf(own))
    const account = await updateAccount(tx, own.id, { mutedUsers })
    await publish(
      tx,
      domainEvents.users.mutedUsersUpdated,
      {
        user_id: account.id,
        muted_users: mutedUsers,
        newly_muted_user_id: newlyMutedUserId,
        projection: toUserProjection(account),
      },
      { realmId: account.realmId, requestId },
    )
  })
}
