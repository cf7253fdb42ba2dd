import { AppError, badRequest, domainEvents, type endpoints } from '@tms/contracts'
import { emojiOfName } from '@tms/emoji'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { isHiddenFromGuests } from '../kernel/guest-visibility/visible-users.ts'
import { retryAfterMoves } from '../kernel/locks/retry-after-moves.ts'
import { findHolders } from '../kernel/messages/holders.queries.ts'
import { lockVisibleMessage } from '../kernel/messages/lock-visible-message.ts'
import { deleteReaction } from './reaction.queries.ts'

/** Removes a reaction of the caller. */
export const handleRemoveReaction: Handler<typeof endpoints.messaging.removeReaction, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { projections } = context
  const [realm, user] = await Promise.all([
    projections.getRealm(caller.realmId),
    projections.getUser(caller.userId),
  ])
  const { emoji_name, reaction_type = 'unicode_emoji' } = input
  const emoji_code =
    input.emoji_code ??
    (emoji_name === undefined ? throwMissingEmoji() : emojiOfName(realm, emoji_name).emoji_code)

  await retryAfterMoves(context.db, async (tx) => {
    const message = await lockVisibleMessage(tx, caller, input.message_id)
    const emojiName = await deleteReaction(tx, message.id, caller.userId, { emoji_code, reaction_type })
    if (emojiName === null) throw new AppError('REACTION_DOES_NOT_EXIST')
    const { user_id, email, full_name } = user
    await context.publish(
      tx,
      domainEvents.messaging.reactionUpdated,
      {
        op: 'remove',
        message_id: message.id,
        emoji_name: emojiName,
        emoji_code,
        reaction_type,
        user: { user_id, email, full_name },
        ...(isHiddenFromGuests(realm, user) ? { is_user_guarded: true } : {}),
        holders: await findHolders(tx, message, [message.id]),
      },
      { realmId: caller.realmId, requestId },
    )
  })
  return {}
}

function throwMissingEmoji(): never {
  throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code')
}
