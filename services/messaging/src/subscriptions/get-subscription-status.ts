import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findMembership, getVisibleById } from '../channels/find-visible.ts'
import type { Context } from '../context.ts'
import { findUnknown } from '../guest-sights/unknown-users.ts'

/**
 * Whether someone is subscribed to a channel, for whoever may know of both. Throws BAD_REQUEST for a user or a channel that
 * the caller can't know of.
 */
export const handleGetSubscriptionStatus: Handler<
  typeof endpoints.messaging.getSubscriptionStatus,
  Context
> = async ({ input, caller, context: { db, directory } }) => {
  const { user_id: userId, stream_id: channelId } = input
  const found = await directory.findUsersByIds(caller.realmId, [userId])
  const unknown = await findUnknown(db, await directory.getRealm(caller.realmId), caller, found.values())
  if (!found.has(userId) || unknown.has(userId)) throw badRequest('No such user')
  await getVisibleById(db, caller, channelId)
  return { is_subscribed: (await findMembership(db, { userId }, channelId))?.isActive ?? false }
}
