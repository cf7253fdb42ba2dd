import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../kernel/text/case-key.ts'
import type { TopicRef } from './user-topic.queries.ts'

/** A subscriber's policy for a topic, and whether its channel is muted. */
export interface TopicPolicy {
  /** The subscriber muted its channel. */
  readonly isChannelMuted: boolean
  /** The subscriber's current policy for the topic; 0 is none. */
  readonly current: number
}

type PolicyRow = TopicPolicy & { readonly userId: number }

/**
 * The plan for more users is made each time: one that was made while few had policies would compare each user with each policy.
 */
const MANY = 100

/** Lists the policies of these users for a topic, without users who aren't subscribed to its channel. */
export async function listTopicPolicies(
  db: Queryable,
  userIds: readonly number[],
  { channelId, topic }: TopicRef,
): Promise<Map<number, TopicPolicy>> {
  const areFew = userIds.length <= MANY
  const text = `
      select s.user_id as "userId", s.is_muted as "isChannelMuted",
             coalesce(t.visibility_policy, 0) as current
        from subscriptions s
        left join user_topics t
          on t.user_id = s.user_id
         and t.channel_id = $2
         and t.topic_key = $3
       where s.channel_id = $2
         and s.user_id = any(${areFew ? '(select $1::bigint[])::bigint[]' : '$1::bigint[]'})
         and s.is_active`
  const values = [userIds, channelId, caseKey(topic)]
  const { rows } = await (areFew
    ? db.query<PolicyRow>({ name: 'list-topic-policies-of-subscribers', text, values })
    : db.query<PolicyRow>(text, values))
  return new Map(rows.map(({ userId, ...policy }) => [userId, policy]))
}
