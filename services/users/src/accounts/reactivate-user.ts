import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { botCreationPermissions, checkCanOwn, mayCreateBot } from '../bots/bot.rules.ts'
import { checkActiveBotLimit } from '../bots/check-active-bot-limit.ts'
import { replaceBotCredentials } from '../bots/replace-bot-credentials.ts'
import { updateChannelNamesOf } from '../bots/update-channel-names.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { findRealmPermissions } from '../kernel/groups/group-membership.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { refreshNamedUsers } from '../kernel/realms/refresh-named-users.ts'
import { checkMayReactivate } from './administration.rules.ts'
import {
  type Administration,
  type AdministrationRequest,
  beginAdministration,
} from './begin-administration.ts'

export const handleReactivateUser: Handler<typeof endpoints.users.reactivateUser, Context> = async (
  request,
) => {
  const apiKey = await reactivateUser(request, request.input.user_id)
  return apiKey !== null && request.caller.tokenId === undefined ? { api_key: apiKey } : {}
}

/**
 * Reactivates an account with its former role and key; does nothing if it is active. A bot whose owner is inactive
 * gets the caller as its owner and a new key, which is returned and no API token may have. Throws BAD_REQUEST without permission, for an
 * unknown user, if the caller can't own the bot, or if its owner has too many bots.
 */
export async function reactivateUser(
  { caller, context, requestId, log }: AdministrationRequest,
  userId: number,
): Promise<string | null> {
  const realm = await getRealm(context, caller.realmId)
  const handedOver = await context.transact(async (tx) => {
    await lockGroups(tx, caller.realmId)
    const administration = await beginAdministration(tx, caller, userId)
    const { actor, target } = administration
    const permissions = await findRealmPermissions(tx, realm, actor, botCreationPermissions, context.now())
    checkMayReactivate(actor, target, mayCreateBot(actor, target.botType, permissions))
    if (target.isActive) return null
    const botOwnerId = await decideBotOwner(tx, administration)
    const account = await changeAccount(tx, target, { isActive: true, botOwnerId }, requestId)
    if (botOwnerId === target.botOwnerId) return null
    return { account, apiKey: await replaceBotCredentials(tx, account, requestId) }
  })
  await refreshNamedUsers(context, caller.realmId, { log, requestId })
  if (handedOver === null) return null
  const { realmId, botOwnerId } = handedOver.account
  if (botOwnerId !== null) await updateChannelNamesOf(context, { realmId, id: botOwnerId })
  return handedOver.apiKey
}

async function decideBotOwner(
  tx: PrismaTx,
  { actor, target }: Administration<Account>,
): Promise<number | null> {
  if (!target.isBot) return null
  const former = target.botOwnerId === null ? null : await findAccount(tx, target.realmId, target.botOwnerId)
  if (former?.isActive) {
    await checkActiveBotLimit(tx, former)
    return former.id
  }
  checkCanOwn(actor, target.role)
  await checkActiveBotLimit(tx, actor)
  return actor.id
}
