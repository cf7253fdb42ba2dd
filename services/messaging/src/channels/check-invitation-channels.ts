import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { canAccessChannel } from '../kernel/access/channel.rules.ts'
import { listChannelsByIds } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { hasChannelPermission, hasRealmPermission } from '../kernel/groups/permissions.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import { listMemberships } from '../kernel/subscriptions/subscription.queries.ts'

/**
 * Checks whether a user may invite others into channels (API document, "Send invitations"). Throws BAD_REQUEST for
 * a channel that the user may not access, and for one to which the user may not subscribe others. Everybody may name default
 * channels.
 */
export const handleCheckInvitationChannels: InternalHandler<
  typeof internal.messaging.checkInvitationChannels,
  Context
> = async ({ realm_id, user_id, stream_ids }, { db, projections, now }) => {
  const [user, realm, channels, memberships] = await Promise.all([
    projections.getUser(user_id),
    projections.getRealm(realm_id),
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
  const inviter = { userId: user_id, policySubject: policySubjectOf(user, realm, now()) }
  const chosen = channels.filter(({ isDefault }) => !isDefault)
  if (chosen.length === 0 || (await hasRealmPermission(db, realm, 'can_add_subscribers_group', inviter)))
    return {}
  for (const channel of chosen) {
    if (!(await hasChannelPermission(db, channel, 'can_add_subscribers_group', inviter)))
      throw badRequest('You do not have permission to subscribe others to channels')
  }
  return {}
}
