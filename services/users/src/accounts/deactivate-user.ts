import { badRequest, type endpoints, limits } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { queueMail } from '../kernel/jobs/queue-mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { refreshNamedUsers } from '../kernel/realms/refresh-named-users.ts'
import { countOtherOwners } from './administration.queries.ts'
import { checkMayDeactivate, isLastOwner } from './administration.rules.ts'
import { type AdministrationRequest, beginAdministration, noSuchUserError } from './begin-administration.ts'
import { deactivateAccount } from './deactivate-account.ts'
import { deactivationMail } from './deactivation-mail.ts'

export const handleDeactivateUser: Handler<typeof endpoints.users.deactivateUser, Context> = async (
  request,
) => {
  const { user_id, deactivation_notification_comment: comment } = request.input
  if (comment !== undefined && [...comment].length > limits.maxDeactivationCommentLength)
    throw badRequest(`The comment has at most ${limits.maxDeactivationCommentLength} characters`)
  await deactivateUser(request, user_id, comment)
  return {}
}

/**
 * Deactivates a user (API document, "Deactivate a user"). With a comment, even an empty one, the user gets a mail.
 * Throws BAD_REQUEST without permission, and if the target is a bot, inactive or the only owner.
 */
export async function deactivateUser(
  { caller, context, requestId, log }: AdministrationRequest,
  userId: number,
  comment?: string,
): Promise<void> {
  const realm = await getRealm(context, caller.realmId)
  await context.transact(async (tx) => {
    await lockGroups(tx, caller.realmId)
    const { actor, target } = await beginAdministration(tx, caller, userId)
    if (target.isBot) throw noSuchUserError()
    checkMayDeactivate(actor, target)
    if (!target.isActive) throw badRequest('The user is deactivated already')
    await deactivateTarget(tx, target, requestId)
    if (comment !== undefined) {
      await queueMail(tx, deactivationMail(target, realm, comment))
    }
  })
  await refreshNamedUsers(context, caller.realmId, { log, requestId })
}

/** Needs the same locks as `deactivateAccount`. Throws BAD_REQUEST for the only owner. */
export async function deactivateTarget(tx: PrismaTx, target: Account, requestId: string): Promise<void> {
  if (isLastOwner(target, await countOtherOwners(tx, target.realmId, target.id)))
    throw badRequest('The only organization owner cannot be deactivated')
  await deactivateAccount(tx, target, requestId)
}
