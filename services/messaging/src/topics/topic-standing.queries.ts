import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import type { TopicPlace } from './user-topic.queries.ts'

/** How a subscriber stands to a topic. */
export interface TopicPosition {
  /** They muted its channel. */
  readonly isChannelMuted: boolean
  /** Their visibility policy for it; 0 is none. */
  readonly current: number
}

/** How these users stand to a topic of a channel; those who don't subscribe to that are left out. */
export async function listTopicPositions(
  db: Queryable,
  userIds: readonly number[],
  { channelId, topic }: TopicPlace,
): Promise<Map<number, TopicPosition>> {
  const { rows } = await db.query<TopicPosition & { userId: number }>({
    name: 'list-topic-standings',
    text: `
      select s.user_id as "userId", s.is_muted as "isChannelMuted",
             coalesce(t.visibility_policy, 0) as current
        from subscriptions s
        left join user_topics t
          on t.user_id = s.user_id
         and t.channel_id = $2
         and t.topic_key = $3
       where s.channel_id = $2
         and s.user_id = any($1)
         and s.is_active`,
    values: [userIds, channelId, caseKey(topic)],
  })
  return new Map(rows.map(({ userId, ...standing }) => [userId, standing]))
}
