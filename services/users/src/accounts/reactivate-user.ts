import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { checkCanOwn } from '../bots/bot.rules.ts'
import { checkRoomForBot } from '../bots/check-room-for-bot.ts'
import { replaceBotCredentials } from '../bots/hand-over.ts'
import { updateChannelNamesOf } from '../bots/update-channel-names.ts'
import type { Context, PrismaTx } from '../context.ts'
import { getRealm } from '../realms/get-realm.ts'
import { lockPerson } from './account.queries.ts'
import { checkMayReactivate } from './administration.rules.ts'
import { type Administration, beginAdministration } from './begin-administration.ts'
import { changePerson } from './change-person.ts'

/**
 * Makes an account active again, with the role and key that it had; one that is active stays so. A bot whose owner is
 * no longer active becomes the caller's, and gets another key, which is returned. Throws BAD_REQUEST for whoever may not, an unknown user,
 * a bot that the caller can't own, and one whose owner has too many.
 */
export const handleReactivateUser: Handler<typeof endpoints.users.reactivateUser, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const realm = await getRealm(context, caller.realmId)
  const handedOver = await context.transact(async (tx) => {
    const administration = await beginAdministration(tx, caller, input.user_id)
    const { actor, target } = administration
    checkMayReactivate(actor, target, realm.bot_creation_policy)
    if (target.isActive) return null
    const botOwnerId = await decideBotOwner(tx, administration)
    const person = await changePerson(tx, target, { isActive: true, botOwnerId }, requestId)
    if (botOwnerId === target.botOwnerId) return null
    return { person, apiKey: await replaceBotCredentials(tx, person, requestId) }
  })
  if (handedOver === null) return {}
  const { realmId, botOwnerId } = handedOver.person
  if (botOwnerId !== null) await updateChannelNamesOf(context, { realmId, id: botOwnerId })
  return { api_key: handedOver.apiKey }
}

async function decideBotOwner(tx: PrismaTx, { actor, target }: Administration): Promise<number | null> {
  if (!target.isBot) return null
  const former = target.botOwnerId === null ? null : await lockPerson(tx, target.realmId, target.botOwnerId)
  if (former?.isActive) {
    await checkRoomForBot(tx, former)
    return former.id
  }
  const owner = await lockPerson(tx, actor.realmId, actor.id)
  checkCanOwn(owner, target.role)
  await checkRoomForBot(tx, owner)
  return owner.id
}
