import { badRequest, type endpoints, type ProfileValue } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { setProfileValues } from './set-profile-values.ts'

/** Sets the caller's profile values, all or none. Throws BAD_REQUEST, also for bots. */
export const handleUpdateProfileData: Handler<typeof endpoints.users.updateProfileData, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await fillIn(context, caller, input.data, requestId)
  return {}
}

/** Clears the caller's profile values, all or none. Throws BAD_REQUEST, also for bots. */
export const handleRemoveProfileData: Handler<typeof endpoints.users.removeProfileData, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const values = input.data.map((id) => ({ id, value: null }))
  await fillIn(context, caller, values, requestId)
  return {}
}

async function fillIn(
  context: Context,
  caller: Caller,
  values: readonly ProfileValue[],
  requestId: string,
): Promise<void> {
  if (caller.isBot) throw badRequest('Bots have no profile')
  await context.realms.findById(caller.realmId)
  await context.transact(async (tx) => {
    const own = await lockOwnAccount(tx, caller)
    return setProfileValues(tx, own, { values, role: own.role }, requestId)
  })
}
