import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findMembership, getVisibleChannel } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'
import { findVisibleByIds } from '../kernel/guest-visibility/visible-users.ts'

/**
 * Returns whether a user is subscribed to a channel. Throws BAD_REQUEST for a user or a channel that the caller
 * may not see.
 */
export const handleGetSubscriptionStatus: Handler<
  typeof endpoints.messaging.getSubscriptionStatus,
  Context
> = async ({ input, caller, context }) => {
  const { user_id: userId, stream_id: channelId } = input
  const { db } = context
  const found = await findVisibleByIds(context, caller, [userId])
  if (!found.has(userId)) throw badRequest('No such user')
  await getVisibleChannel(db, caller, channelId)
  return { is_subscribed: (await findMembership(db, { userId }, channelId))?.isActive ?? false }
}
