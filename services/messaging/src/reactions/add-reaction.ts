import { AppError, domainEvents, type endpoints } from '@tms/contracts'
import { requestedEmoji, validateEmoji } from '@tms/emoji'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { restrictsGuestVisibility } from '../guest-visibility/unknown-users.ts'
import { followingMoves } from '../messages/follow-moves.ts'
import { findHolders } from '../messages/holders.queries.ts'
import { lockVisibleMessage } from '../messages/lock-visible-message.ts'
import { takePart } from '../messages/take-part.ts'
import { findReaction, insertReaction } from './reaction.queries.ts'

/**
 * Reacts to a message. Whoever uses an emoji that is there already joins it under the name that it has, even if
 * nobody could begin with it any more.
 */
export const handleAddReaction: Handler<typeof endpoints.messaging.addReaction, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { directory } = context
  const [realm, user] = await Promise.all([
    directory.getRealm(caller.realmId),
    directory.getUser(caller.userId),
  ])
  const asked = requestedEmoji(realm, input)
  const cause = { realmId: caller.realmId, requestId }

  await followingMoves(context.db, async (tx) => {
    const message = await lockVisibleMessage(tx, caller, input.message_id)
    const known = await findReaction(tx, message.id, caller.userId, asked)
    if (known?.isOwn) throw new AppError('REACTION_ALREADY_EXISTS')
    const emoji = known ? { ...asked, emoji_name: known.emojiName } : validateEmoji(realm, asked)

    await insertReaction(tx, message.id, caller.userId, emoji)
    await takePart(tx, context, user, message, cause)
    const holders = await findHolders(tx, message, [message.id])
    const { user_id, email, full_name } = user
    await context.publish(
      tx,
      domainEvents.messaging.reactionUpdated,
      {
        op: 'add',
        message_id: message.id,
        ...emoji,
        user: { user_id, email, full_name },
        ...(restrictsGuestVisibility(realm) && !user.is_bot ? { is_user_guarded: true } : {}),
        holders,
      },
      cause,
    )
  })
  context.relay.wake()
  return {}
}
