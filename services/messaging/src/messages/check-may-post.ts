import type { PolicySubject, RealmProjection } from '@tms/contracts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { standingOf } from '../directory/standing.ts'
import type { ChannelReference } from './addressee.rules.ts'
import { type ChannelPlace, listSubscribed } from './posting-place.queries.ts'
import { checkPosting, mayPost } from './sending.rules.ts'

/**
 * Throws BAD_REQUEST for someone who may not post in a channel, neither by themselves nor, being a bot, by their owner; see
 * `checkPosting`. Owners are looked up only where that matters.
 */
export async function checkMayPost(
  { db, directory, now }: Pick<Context, 'db' | 'directory' | 'now'>,
  { user, realm, place }: { user: KnownUser; realm: RealmProjection; place: ChannelPlace },
  reference: ChannelReference,
): Promise<void> {
  const standing = standingOf(user, realm, now())
  const ownerId = mayPost(standing, place) || !user.is_bot ? null : user.bot_owner_id
  checkPosting(standing, place, reference, ownerId === null ? null : await findOwner(ownerId))

  async function findOwner(userId: number): Promise<{ standing: PolicySubject; isSubscribed: boolean }> {
    const owner = await directory.getUser(userId)
    const subscribed = await listSubscribed(db, place.channel.id, [owner.user_id])
    return { standing: standingOf(owner, realm, now()), isSubscribed: subscribed.length > 0 }
  }
}
