import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { checkCanOwn } from '../bots/bot.rules.ts'
import { lowerBotsOf } from '../bots/lower-bots.ts'
import { updateChannelNamesOf } from '../bots/update-channel-names.ts'
import type { Context, PrismaTx } from '../context.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { setProfileValues } from '../profiles/set-profile-values.ts'
import { getRealm } from '../realms/get-realm.ts'
import { lockPerson } from './account.queries.ts'
import { countOtherOwners } from './administration.queries.ts'
import { checkMayChangeRole, checkMayRename, isLastOwner } from './administration.rules.ts'
import { type Administration, beginAdministration } from './begin-administration.ts'
import { changePerson } from './change-person.ts'
import { checkFullNameIsFree } from './full-name.queries.ts'
import { checkFullName } from './full-name.rules.ts'

/**
 * Changes another's name, role and profile, in this order, all of it or nothing (API document, "Update a user"). Throws
 * BAD_REQUEST for whoever may not, an unknown user, a name that can't be had, the only owner's role, and profile values
 * that don't fit.
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
    const person = Object.keys(change).length > 0 ? await changePerson(tx, target, change, requestId) : target
    if (person.role > target.role && !person.isBot) await lowerBotsOf(tx, person, requestId)
    if (input.profile_data) await setProfileValues(tx, person, input.profile_data, requestId)
    return { person, hasOtherRole: person.role !== target.role }
  })
  // Someone of another role sees other channels.
  if (changed.hasOtherRole && !changed.person.isBot) await updateChannelNamesOf(context, changed.person)
  return {}
}

/** The role that the target gets; undefined leaves it. */
async function decideRole(
  tx: PrismaTx,
  { actor, target }: Administration,
  wanted: number | undefined,
): Promise<number | undefined> {
  if (wanted === undefined || wanted === target.role) return undefined
  checkMayChangeRole(actor, target, wanted)
  // Locked, so that who is being given less power takes this bot along.
  if (target.botOwnerId !== null && wanted < target.role)
    checkCanOwn(await lockPerson(tx, target.realmId, target.botOwnerId), wanted)
  if (isLastOwner(target, await countOtherOwners(tx, target.realmId, target.id)))
    throw badRequest('The owner role can not be removed from the only organization owner')
  return wanted
}

/** The name that the target gets; undefined leaves it. */
function decideName({ target }: Administration, wanted: string | undefined): string | undefined {
  if (wanted === undefined || wanted.trim() === '') return undefined
  const fullName = checkFullName(wanted)
  return fullName === target.fullName ? undefined : fullName
}
