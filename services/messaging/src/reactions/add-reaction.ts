import { AppError, domainEvents, type endpoints } from '@tms/contracts'
import { requestedEmoji, validateEmoji } from '@tms/emoji'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { isHiddenFromGuests } from '../kernel/guest-visibility/visible-users.ts'
import { retryAfterMoves } from '../kernel/locks/retry-after-moves.ts'
import { findHolders } from '../kernel/messages/holders.queries.ts'
import { lockVisibleMessage } from '../kernel/messages/lock-visible-message.ts'
import { recordParticipation } from '../topics/record-participation.ts'
import { findReaction, insertReaction } from './reaction.queries.ts'

/**
 * Adds a reaction. With an emoji that the message already has, the reaction gets its existing name, even if the
 * emoji is no longer available.
 */
export const handleAddReaction: Handler<typeof endpoints.messaging.addReaction, Context> = async ({
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
  const requested = requestedEmoji(realm, input)
  const cause = { realmId: caller.realmId, requestId }

  await retryAfterMoves(context.db, async (tx) => {
    const message = await lockVisibleMessage(tx, caller, input.message_id)
    const known = await findReaction(tx, message.id, caller.userId, requested)
    if (known?.isOwn) throw new AppError('REACTION_ALREADY_EXISTS')
    const emoji = known ? { ...requested, emoji_name: known.emojiName } : validateEmoji(realm, requested)

    await insertReaction(tx, message.id, caller.userId, emoji)
    await recordParticipation(tx, context, user, message, cause)
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
        ...(isHiddenFromGuests(realm, user) ? { is_user_guarded: true } : {}),
        holders,
      },
      cause,
    )
  })
  return {}
}
