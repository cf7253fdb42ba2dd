import type { RealmProjection } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import { hasChannelPermission } from '../kernel/groups/permissions.ts'
import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'
import type { ChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { listMemberships } from '../kernel/subscriptions/subscription.queries.ts'
import { findPostingObstacle, type Poster, postingError } from './posting.rules.ts'

/**
 * Throws BAD_REQUEST unless the user may post in the channel (`posting.rules.ts`). The owner of a bot is looked up
 * only if the bot may not post by itself.
 */
export async function checkMayPost(
  { db, projections, now }: Pick<Context, 'db' | 'projections' | 'now'>,
  { user, realm, target }: { user: KnownUser; realm: RealmProjection; target: ChannelTarget },
  reference: ChannelReference,
): Promise<void> {
  const { channel } = target
  const poster = await posterOf(user, target)
  let obstacle = findPostingObstacle(channel, poster)
  if (obstacle !== null && user.is_bot && user.bot_owner_id !== null) {
    obstacle = findPostingObstacle(channel, poster, await getOwner(user.bot_owner_id))
  }
  if (obstacle !== null) throw postingError(obstacle, reference)

  async function posterOf(
    by: KnownUser,
    { isSubscribed, isReader }: Pick<Poster, 'isSubscribed' | 'isReader'>,
  ): Promise<Poster> {
    const policySubject = policySubjectOf(by, realm, now())
    const candidate = { userId: by.user_id, policySubject }
    const isPermitted = await hasChannelPermission(db, channel, 'can_send_message_group', candidate)
    return { policySubject, isSubscribed, isReader, isPermitted }
  }

  async function getOwner(userId: number): Promise<Poster> {
    const owner = await projections.getUser(userId)
    const memberships = await listMemberships(db, owner.user_id, [channel.id])
    const { isActive = false, isReader = false } = memberships.get(channel.id) ?? {}
    return posterOf(owner, { isSubscribed: isActive, isReader })
  }
}
