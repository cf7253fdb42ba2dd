import { badRequest, type internal, policyAllows } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { standingOf } from '../directory/standing.ts'
import { listMemberships } from '../subscriptions/subscription.queries.ts'
import { listChannelsByIds } from './channel.queries.ts'
import { canAccessChannel } from './channel.rules.ts'

/**
 * Whether someone may invite others into channels (API document, "Send invitations"). Throws BAD_REQUEST for a channel
 * that they can't use, and if they may not subscribe others to any.
 */
export const handleCheckInvitationChannels: InternalHandler<
  typeof internal.messaging.checkInvitationChannels,
  Context
> = async ({ realm_id, user_id, stream_ids }, { db, directory, now }) => {
  const [user, realm, channels, memberships] = await Promise.all([
    directory.getUser(user_id),
    directory.getRealm(realm_id),
    listChannelsByIds(db, realm_id, stream_ids),
    listMemberships(db, user_id, stream_ids),
  ])
  const usable = new Set(
    channels
      .filter((channel) => canAccessChannel(user, channel, memberships.get(channel.id) ?? null))
      .map(({ id }) => id),
  )
  const unusable = stream_ids.find((id) => !usable.has(id))
  if (unusable !== undefined) throw badRequest(`Invalid channel ID ${unusable}; nobody was invited`)
  if (!policyAllows(realm.invite_to_stream_policy, standingOf(user, realm, now()))) {
    throw badRequest('You do not have permission to subscribe others to channels')
  }
  return {}
}
