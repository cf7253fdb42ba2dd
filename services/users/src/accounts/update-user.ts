import {
  badRequest,
  type EndpointInput,
  type endpoints,
  type RealmProjection,
  type Role,
} from '@tms/contracts'
import type { Handler, Request } from '@tms/service-kit'
import { checkCanOwn } from '../bots/bot.rules.ts'
import { limitBotRoles } from '../bots/limit-bot-roles.ts'
import { updateChannelNamesOf } from '../bots/update-channel-names.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { checkFullNameIsFree } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { isAddressTakenError } from '../kernel/addresses/address-taken-error.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { checkHasApiKey } from '../kernel/credentials/check-has-api-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { setProfileValues } from '../profiles/set-profile-values.ts'
import { countOtherOwners } from './administration.queries.ts'
import { checkMayChangeRole, checkMayRename, isLastOwner } from './administration.rules.ts'
import {
  type Administration,
  type AdministrationRequest,
  beginAdministration,
  noSuchUserError,
} from './begin-administration.ts'
import { takeNewEmail } from './change-user-email.ts'
import { findVisibleByEmail } from './find-visible-by-email.ts'

export const handleUpdateUser: Handler<typeof endpoints.users.updateUser, Context> = (request) =>
  updateUser(request, request.input.user_id)

/** The same for a user that the caller names by an address. */
export const handleUpdateUserByEmail: Handler<typeof endpoints.users.updateUserByEmail, Context> = async (
  request,
) => {
  const { caller, context, input } = request
  const account = await findVisibleByEmail(context, caller, foldEmail(input.email))
  if (!account) throw noSuchUserError()
  return updateUser(request, account.id)
}

type UpdateRequest = Pick<
  Request<typeof endpoints.users.updateUserByEmail, Context>,
  'caller' | 'context' | 'requestId'
> & { readonly input: Changes }
type Changes = Omit<EndpointInput<typeof endpoints.users.updateUserByEmail>, 'email'>

/**
 * Changes another user's name, role, profile and address, all or nothing (API document, "Update a user"). Throws
 * BAD_REQUEST without permission, for an unknown user, an unavailable name or address, the only owner's role, and
 * invalid profile values; API_KEY_REQUIRED for an address by a token.
 */
async function updateUser(
  { input, caller, context, requestId }: UpdateRequest,
  userId: number,
): Promise<Record<never, never>> {
  if (input.new_email !== undefined) checkHasApiKey(caller, 'change an address')
  const realm = await getRealm(context, caller.realmId)
  const changed = await context
    .transact(async (tx) =>
      updateTarget(tx, await beginAdministration(tx, caller, userId), { input, realm, requestId }),
    )
    .catch((err: unknown) => {
      throw isAddressTakenError(err) ? badRequest('The e-mail address is already in use') : err
    })
  // The new role may see other channels.
  if (changed.hasOtherRole && !changed.account.isBot) await updateChannelNamesOf(context, changed.account)
  return {}
}

/**
 * Changes a user's role on a page that showed another one; the same errors, and BAD_REQUEST if the user has got
 * another role since the page was shown.
 */
export async function changeRole(
  { caller, context, requestId }: AdministrationRequest,
  userId: number,
  { role, shownRole }: { readonly role: Role; readonly shownRole: number },
): Promise<void> {
  const realm = await getRealm(context, caller.realmId)
  const changed = await context.transact(async (tx) => {
    const administration = await beginAdministration(tx, caller, userId)
    const { target } = administration
    if (target.isBot) throw noSuchUserError()
    if (target.role !== shownRole)
      throw badRequest('The role was changed since this page was shown. This is how it is now')
    return updateTarget(tx, administration, { input: { role }, realm, requestId })
  })
  if (changed.hasOtherRole) await updateChannelNamesOf(context, changed.account)
}

/** Changes a user in a transaction that has begun administration. Call `updateChannelNamesOf` after a change of role. */
export async function updateTarget(
  tx: PrismaTx,
  administration: Administration,
  update: { input: Changes; realm: RealmProjection; requestId: string },
): Promise<{ account: Account; hasOtherRole: boolean }> {
  const { input, realm, requestId } = update
  const { actor, target } = administration
  checkMayRename(actor, target)
  const role = await decideRole(tx, administration, input.role)
  const fullName = decideName(administration, input.full_name)
  if (fullName !== undefined && realm.require_unique_names)
    await checkFullNameIsFree(tx, target.realmId, fullName, target.id)
  const newEmail =
    input.new_email === undefined ? null : await takeNewEmail(tx, administration, input.new_email, realm)

  const change: Prisma.AccountUncheckedUpdateInput = {
    ...(role !== undefined && { role }),
    ...(fullName !== undefined && { fullName }),
    ...newEmail,
  }
  const account = Object.keys(change).length > 0 ? await changeAccount(tx, target, change, requestId) : target
  if (account.role > target.role && !account.isBot) await limitBotRoles(tx, account, requestId)
  if (input.profile_data) {
    const filling = { values: input.profile_data, role: actor.role }
    await setProfileValues(tx, account, filling, requestId)
  }
  return { account, hasOtherRole: account.role !== target.role }
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
