import { badRequest, domainEvents, type endpoints, type MutedUser } from '@tms/contracts'
import { asTx, type Caller, type Handler, publisherOf } from '@tms/service-kit'
import { findPerson, updatePerson } from '../accounts/account.queries.ts'
import { lockOwnAccount } from '../accounts/lock-own-account.ts'
import { toUserProjection } from '../accounts/user-projection.ts'
import type { Context } from '../context.ts'
import { canSee } from '../guest-visibility/sight.ts'
import { addMuted, mutedUsersOf, removeMuted } from './muted-users.rules.ts'

const publish = publisherOf('users')

/**
 * Mutes a user, bots and deactivated ones included. Throws BAD_REQUEST for oneself, nobody whom the caller
 * sees, and someone twice.
 */
export const handleMuteUser: Handler<typeof endpoints.users.muteUser, Context> = async ({
  input: { muted_user_id: id },
  caller,
  context,
  requestId,
}) => {
  if (id === caller.userId) throw badRequest('You can’t mute yourself')
  const person = await findPerson(context.prisma, caller.realmId, id)
  if (!person || !(await canSee(context.db, caller, person))) throw badRequest('No such user')
  const now = context.now()
  await change(context, caller, requestId, id, (muted) => addMuted(muted, id, now))
  return {}
}

/** Unmutes a user. Throws BAD_REQUEST for one who isn't muted. */
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
    const person = await updatePerson(tx, own.id, { mutedUsers })
    await publish(
      asTx(tx),
      domainEvents.users.mutedUsersUpdated,
      {
        user_id: person.id,
        muted_users: mutedUsers,
        newly_muted_user_id: newlyMutedUserId,
        projection: toUserProjection(person),
      },
      { realmId: person.realmId, requestId },
    )
  })
}
