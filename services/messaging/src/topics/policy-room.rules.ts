import { badRequest, limits, VisibilityPolicy } from '@tms/contracts'
import type { TopicPolicies } from './user-topic.queries.ts'

/** Throws BAD_REQUEST where a user who has set this much can't set one more; what is set already may change. */
export function checkPolicyRoom({ current, count, muted }: TopicPolicies, wanted: VisibilityPolicy): void {
  if (wanted === VisibilityPolicy.none || wanted === current) return
  if (current === VisibilityPolicy.none && count >= limits.maxTopicPolicies)
    throw badRequest(`You can choose how you see at most ${limits.maxTopicPolicies} topics`)
  if (wanted === VisibilityPolicy.muted && muted >= limits.maxMutedTopics)
    throw badRequest(`You can mute at most ${limits.maxMutedTopics} topics`)
}
