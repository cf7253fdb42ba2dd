import type { PolicySubject, RealmProjection } from '@tms/contracts'
import type { Context } from '../context.ts'
import { policySubjectOf } from '../projections/policy-subject.ts'
import type { KnownUser } from '../projections/projection-reader.ts'
import type { ChannelReference } from './message-target.rules.ts'
import { type ChannelTarget, listSubscribed } from './posting-target.queries.ts'
import { checkPosting, mayPost } from './sending.rules.ts'

/**
 * Throws BAD_REQUEST unless the user may post in the channel. A bot may also post by the permissions of its owner,
 * who is looked up only if it matters; see `checkPosting`.
 */
export async function checkMayPost(
  { db, projections, now }: Pick<Context, 'db' | 'projections' | 'now'>,
  { user, realm, target }: { user: KnownUser; realm: RealmProjection; target: ChannelTarget },
  reference: ChannelReference,
): Promise<void> {
  const policySubject = policySubjectOf(user, realm, now())
  const ownerId = mayPost(policySubject, target) || !user.is_bot ? null : user.bot_owner_id
  checkPosting(policySubject, target, reference, ownerId === null ? null : await findOwner(ownerId))

  async function findOwner(userId: number): Promise<{ policySubject: PolicySubject; isSubscribed: boolean }> {
    const owner = await projections.getUser(userId)
    const subscribed = await listSubscribed(db, target.channel.id, [owner.user_id])
    return { policySubject: policySubjectOf(owner, realm, now()), isSubscribed: subscribed.length > 0 }
  }
}
