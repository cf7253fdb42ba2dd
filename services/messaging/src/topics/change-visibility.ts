import type { VisibilityPolicy } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { setVisibility } from './set-visibility.ts'
import { listTopicPolicies } from './topic-policy.queries.ts'
import { lockVisibility, type TopicRef } from './user-topic.queries.ts'
import { canChangePolicy, nextVisibility, type TopicActivity } from './visibility.rules.ts'

/** An activity of a user in a topic, or a mention of the user there. */
export interface UserActivity {
  readonly user: KnownUser
  readonly activity: TopicActivity
}

/**
 * Makes users follow or unmute a topic according to their settings, publishes it, and returns the new policy of
 * each changed user. Costs nothing if no setting applies. Each user is in `activities` once; users who aren't
 * subscribed are ignored. Call it under the same conditions as `setVisibility`.
 */
export async function changeVisibility(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  topicRef: TopicRef,
  activities: readonly UserActivity[],
  cause: Cause,
): Promise<Map<number, VisibilityPolicy>> {
  const eligible = activities.filter(({ user, activity }) => canChangePolicy(user, activity))
  if (eligible.length === 0) return new Map()

  const userIds = eligible.map(({ user }) => user.user_id)
  await lockVisibility(tx, cause.realmId, userIds)
  const policies = await listTopicPolicies(tx, userIds, topicRef)
  const next = new Map<number, VisibilityPolicy>()
  for (const { user, activity } of eligible) {
    const policy = policies.get(user.user_id)
    const visibility = policy ? nextVisibility(user, activity, policy) : null
    if (visibility !== null) next.set(user.user_id, visibility)
  }
  const changes = [...next].map(([userId, visibility]) => ({ userId, visibility }))
  await setVisibility(tx, context, topicRef, changes, cause)
  return next
}
