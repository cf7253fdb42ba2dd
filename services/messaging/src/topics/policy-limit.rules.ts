import { badRequest, limits, VisibilityPolicy } from '@tms/contracts'
import type { TopicPolicies } from './user-topic.queries.ts'

/** Throws BAD_REQUEST if a user has the maximum of topic policies. Existing ones may still be changed. */
export function checkPolicyLimit({ current, count, muted }: TopicPolicies, wanted: VisibilityPolicy): void {
  if (wanted === VisibilityPolicy.none || wanted === current) return
  if (current === VisibilityPolicy.none && count >= limits.maxTopicPolicies)
    throw badRequest(`You can choose how you see at most ${limits.maxTopicPolicies} topics`)
  if (wanted === VisibilityPolicy.muted && muted >= limits.maxMutedTopics)
    throw badRequest(`You can mute at most ${limits.maxMutedTopics} topics`)
}
