import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findMembership, getVisibleById } from '../channels/find-visible.ts'
import type { Context } from '../context.ts'
import { findSeenByIds } from '../guest-visibility/unknown-users.ts'

/**
 * Whether someone is subscribed to a channel, for whoever may know of both. Throws BAD_REQUEST for a user or a channel that
 * the caller can't know of.
 */
export const handleGetSubscriptionStatus: Handler<
  typeof endpoints.messaging.getSubscriptionStatus,
  Context
> = async ({ input, caller, context }) => {
  const { user_id: userId, stream_id: channelId } = input
  const { db } = context
  const found = await findSeenByIds(context, caller, [userId])
  if (!found.has(userId)) throw badRequest('No such user')
  await getVisibleById(db, caller, channelId)
  return { is_subscribed: (await findMembership(db, { userId }, channelId))?.isActive ?? false }
}
