import { type UserTopic, VisibilityPolicy } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { TopicVisibility } from './topic-refresh.rules.ts'
import { CHANNEL_VISIBILITY_JOINS, IS_CHANNEL_VISIBLE, USER_TOPIC_COLUMNS } from './user-topic.queries.ts'

/** Whose topic policies: those of certain users, in certain channels, or both. */
export interface RefreshScope {
  readonly userIds?: readonly number[]
  readonly channelIds?: readonly number[]
  /** Only users who muted a topic there: only lists of muted topics contain names of channels. */
  readonly muting?: boolean
}

/** Lists whether users with topic policies see the channels. */
export async function listTopicVisibility(
  tx: Tx,
  { userIds, channelIds, muting = false }: RefreshScope,
): Promise<TopicVisibility[]> {
  if (userIds?.length === 0 || channelIds?.length === 0) return []
  const { rows } = await tx.query<TopicVisibility>(
    `select t.user_id as "userId", t.channel_id as "channelId", c.name,
            ${IS_CHANNEL_VISIBLE} as "isVisible", t.is_muting as "isMuting"
       from (select user_id, channel_id, bool_or(visibility_policy = ${VisibilityPolicy.muted}) as is_muting
               from user_topics
              where ${userIds ? 'user_id = any($1::bigint[])' : '$1::bigint[] is null'}
                and ${channelIds ? 'channel_id = any($2::bigint[])' : '$2::bigint[] is null'}
              group by user_id, channel_id
             having not $3::boolean or bool_or(visibility_policy = ${VisibilityPolicy.muted})) as t
       ${CHANNEL_VISIBILITY_JOINS}
      order by t.user_id, t.channel_id`,
    [userIds ?? null, channelIds ?? null, muting],
  )
  return rows
}

/** Lists the topic policies of users in channels, by user. */
export async function listTopicsOf(
  tx: Tx,
  pairs: readonly { readonly userId: number; readonly channelId: number }[],
): Promise<Map<number, UserTopic[]>> {
  const { rows } = await tx.query<UserTopic & { userId: number }>({
    name: 'list-topic-policies-of',
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
