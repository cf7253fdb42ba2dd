import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import type { TopicPlace } from './user-topic.queries.ts'

/** How a user stands to a topic. */
export interface TopicStanding {
  readonly isSubscribed: boolean
  /** They muted its channel. */
  readonly isChannelMuted: boolean
  /** Their visibility policy for it; 0 is none. */
  readonly current: number
}

/** How a user stands to a topic of a channel, whether or not it has messages. */
export async function findTopicStanding(
  db: Queryable,
  userId: number,
  { channelId, topic }: TopicPlace,
): Promise<TopicStanding> {
  const { rows } = await db.query<TopicStanding>({
    name: 'find-topic-standing',
    text: `
      select coalesce(s.is_active, false) as "isSubscribed",
             coalesce(s.is_muted, false) as "isChannelMuted",
             coalesce(t.visibility_policy, 0) as current
        from (values ($1::bigint)) as u (user_id)
        left join subscriptions s on s.channel_id = $2 and s.user_id = u.user_id
        left join user_topics t on t.user_id = u.user_id and t.channel_id = $2 and t.topic_key = $3`,
    values: [userId, channelId, caseKey(topic)],
  })
  return rows[0] ?? { isSubscribed: false, isChannelMuted: false, current: 0 }
}
