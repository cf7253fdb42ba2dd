import type { VisibilityPolicy } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { setVisibility } from './set-visibility.ts'
import { listTopicPolicies } from './topic-policy.queries.ts'
import { lockVisibility, type TopicRef } from './user-topic.queries.ts'
import { canChangePolicy, nextPolicies, type UserActivity } from './visibility.rules.ts'

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
  const next = nextPolicies(eligible, await listTopicPolicies(tx, userIds, topicRef))
  const changes = [...next].map(([userId, visibility]) => ({ userId, visibility }))
  await setVisibility(tx, context, topicRef, changes, cause)
  return next
}
