import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { checkCanOwn } from '../bots/bot.rules.ts'
import { limitBotRoles } from '../bots/limit-bot-roles.ts'
import { updateChannelNamesOf } from '../bots/update-channel-names.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import { checkFullNameIsFree } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { setProfileValues } from '../profiles/set-profile-values.ts'
import { countOtherOwners } from './administration.queries.ts'
import { checkMayChangeRole, checkMayRename, isLastOwner } from './administration.rules.ts'
import { type Administration, beginAdministration } from './begin-administration.ts'

/**
 * Changes another user's name, role and profile, in this order, all or nothing (API document, "Update a user").
 * Throws BAD_REQUEST without permission, for an unknown user, an unavailable name, the only owner's role, and invalid
 * profile values.
 */
export const handleUpdateUser: Handler<typeof endpoints.users.updateUser, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const realm = await getRealm(context, caller.realmId)
  const changed = await context.transact(async (tx) => {
    const administration = await beginAdministration(tx, caller, input.user_id)
    const { actor, target } = administration
    checkMayRename(actor, target)
    const role = await decideRole(tx, administration, input.role)
    const fullName = decideName(administration, input.full_name)
    if (fullName !== undefined && realm.require_unique_names)
      await checkFullNameIsFree(tx, target.realmId, fullName, target.id)

    const change: Prisma.AccountUncheckedUpdateInput = {
      ...(role !== undefined && { role }),
      ...(fullName !== undefined && { fullName }),
    }
    const account =
      Object.keys(change).length > 0 ? await changeAccount(tx, target, change, requestId) : target
    if (account.role > target.role && !account.isBot) await limitBotRoles(tx, account, requestId)
    if (input.profile_data) await setProfileValues(tx, account, input.profile_data, requestId)
    return { account, hasOtherRole: account.role !== target.role }
  })
  // The new role may see other channels.
  if (changed.hasOtherRole && !changed.account.isBot) await updateChannelNamesOf(context, changed.account)
  return {}
}

/** The target's new role; undefined if it stays. */
async function decideRole(
  tx: PrismaTx,
  { actor, target }: Administration,
  wanted: number | undefined,
): Promise<number | undefined> {
  if (wanted === undefined || wanted === target.role) return undefined
  checkMayChangeRole(actor, target, wanted)
  if (target.botOwnerId !== null && wanted < target.role)
    checkCanOwn(await findAccount(tx, target.realmId, target.botOwnerId), wanted)
  if (isLastOwner(target, await countOtherOwners(tx, target.realmId, target.id)))
    throw badRequest('The owner role cannot be removed from the only organization owner')
  return wanted
}

/** The target's new name; undefined if it stays. */
function decideName({ target }: Administration, wanted: string | undefined): string | undefined {
  if (wanted === undefined || wanted.trim() === '') return undefined
  const fullName = checkFullName(wanted)
  return fullName === target.fullName ? undefined : fullName
}
