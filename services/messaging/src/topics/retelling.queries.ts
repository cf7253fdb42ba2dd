import { type UserTopic, VisibilityPolicy } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { TopicSight } from './retelling.rules.ts'
import { IS_IN_SIGHT, SIGHT_OF_CHANNEL, USER_TOPIC_COLUMNS } from './user-topic.queries.ts'

/** Of whose topics: those of certain users, in certain channels, or both. */
export interface SightScope {
  readonly userIds?: readonly number[]
  readonly channelIds?: readonly number[]
  /** Only those who have muted a topic there: names are in nothing else that is told. */
  readonly muting?: boolean
}

/** How those who have set something for topics stand to the channels. */
export async function listTopicSights(
  tx: Tx,
  { userIds, channelIds, muting = false }: SightScope,
): Promise<TopicSight[]> {
  if (userIds?.length === 0 || channelIds?.length === 0) return []
  const { rows } = await tx.query<TopicSight>(
    `select t.user_id as "userId", t.channel_id as "channelId", c.name,
            ${IS_IN_SIGHT} as "isInSight", t.is_muting as "isMuting"
       from (select user_id, channel_id, bool_or(visibility_policy = ${VisibilityPolicy.muted}) as is_muting
               from user_topics
              where ${userIds ? 'user_id = any($1::bigint[])' : '$1::bigint[] is null'}
                and ${channelIds ? 'channel_id = any($2::bigint[])' : '$2::bigint[] is null'}
              group by user_id, channel_id
             having not $3::boolean or bool_or(visibility_policy = ${VisibilityPolicy.muted})) as t
       ${SIGHT_OF_CHANNEL}
      order by t.user_id, t.channel_id`,
    [userIds ?? null, channelIds ?? null, muting],
  )
  return rows
}

/** What users have set for topics of channels, by user. */
export async function listTopicsOf(
  tx: Tx,
  pairs: readonly { readonly userId: number; readonly channelId: number }[],
): Promise<Map<number, UserTopic[]>> {
  const { rows } = await tx.query<UserTopic & { userId: number }>({
    name: 'list-topics-of',
    text: `
      select t.user_id as "userId", ${USER_TOPIC_COLUMNS}
        from unnest($1::bigint[], $2::bigint[]) as wanted (user_id, channel_id)
        join user_topics t using (user_id, channel_id)
       order by t.user_id, t.channel_id, t.topic_key`,
    values: [pairs.map(({ userId }) => userId), pairs.map(({ channelId }) => channelId)],
  })
  const topics = new Map<number, UserTopic[]>()
  for (const { userId, ...topic } of rows) {
    const known = topics.get(userId)
    if (known) known.push(topic)
    else topics.set(userId, [topic])
  }
  return topics
}
