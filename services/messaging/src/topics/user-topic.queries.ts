import { type MutedTopic, type UserTopic, VisibilityPolicy } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import { knowsOf, PUBLISHED_ROLE } from '../channels/access.queries.ts'

/** SQL: joins to rows `t` with a user and a channel what `IS_IN_SIGHT` needs. */
export const SIGHT_OF_CHANNEL = `
  join channels c on c.id = t.channel_id
  left join subscriptions s on s.channel_id = t.channel_id and s.user_id = t.user_id
  left join known_users on known_users.user_id = t.user_id`

/** SQL: whether the user of a row `t` knows of its channel, as far as the user's clients have been told. */
export const IS_IN_SIGHT = knowsOf(
  {
    isArchived: 'c.is_archived',
    isWebPublic: 'c.is_web_public',
    inviteOnly: 'c.invite_only',
    isSubscribed: 's.is_active',
  },
  PUBLISHED_ROLE,
)

export const USER_TOPIC_COLUMNS = `
  t.channel_id as stream_id, t.topic_name, t.visibility_policy,
  floor(extract(epoch from t.updated_at))::bigint as last_updated`

/** An organization's users share this many locks: each takes memory of the server's, and one change may concern very many. */
const LOCKS = 256

/**
 * Lets these users' visibility of topics be changed by one transaction at a time: each event tells all that a
 * user has muted, so it must show what came before. Taken in one go, in one order: after the locks of channels' places, and
 * before rows of subscriptions and files, for which others wait who have none of this.
 */
export async function lockVisibility(tx: Tx, realmId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const locks = [...new Set(userIds.map((userId) => userId % LOCKS))].sort((a, b) => a - b)
  await tx.query({
    name: 'lock-visibility',
    text: `
      select pg_advisory_xact_lock(hashtext('user_topics of ' || $1::bigint), lock)
        from unnest($2::integer[]) as lock`,
    values: [realmId, locks],
  })
}

/** A topic of a channel, as a user spells it. */
export interface TopicPlace {
  readonly channelId: number
  readonly topic: string
}

export interface VisibilityChange {
  readonly userId: number
  readonly visibility: number
}

/** A user for whom a topic's visibility is another now; one who doesn't know of the channel isn't told so. */
export interface ChangedVisibility {
  readonly userId: number
  readonly isInSight: boolean
}

/** Stores how users want to see a topic, and returns those for whom it was another way before, in order. */
export async function storeVisibility(
  tx: Tx,
  { channelId, topic }: TopicPlace,
  changes: readonly VisibilityChange[],
  updatedAt: Date,
): Promise<ChangedVisibility[]> {
  const { rows } = await tx.query<ChangedVisibility>({
    name: 'store-visibility',
    text: `
      with wanted as (
        select user_id, visibility
          from unnest($5::bigint[], $6::smallint[]) as wanted (user_id, visibility)
      ), removed as (
        delete from user_topics t
         using wanted
         where wanted.visibility = 0
           and t.user_id = wanted.user_id
           and t.channel_id = $1
           and t.topic_key = $2
        returning t.user_id
      ), stored as (
        insert into user_topics (user_id, channel_id, topic_key, topic_name, visibility_policy, updated_at)
        select user_id, $1, $2, $3, visibility, $4
          from wanted
         where visibility <> 0
         order by user_id
            on conflict (user_id, channel_id, topic_key) do update
           set (topic_name, visibility_policy, updated_at) =
               (excluded.topic_name, excluded.visibility_policy, excluded.updated_at)
         where user_topics.visibility_policy <> excluded.visibility_policy
        returning user_id
      ), t as (
        select user_id, $1::bigint as channel_id from removed
         union all
        select user_id, $1 from stored
      )
      select t.user_id as "userId", ${IS_IN_SIGHT} as "isInSight"
        from t
        ${SIGHT_OF_CHANNEL}
       order by t.user_id`,
    values: [
      channelId,
      caseKey(topic),
      topic,
      updatedAt,
      changes.map(({ userId }) => userId),
      changes.map(({ visibility }) => visibility),
    ],
  })
  return rows
}

/** Topics for which a user wants something, in channels that the user knows of. */
export async function listUserTopics(db: Queryable, userId: number): Promise<UserTopic[]> {
  const { rows } = await db.query<UserTopic>({
    name: 'list-user-topics',
    text: `
      select ${USER_TOPIC_COLUMNS}
        from user_topics t
        ${SIGHT_OF_CHANNEL}
       where t.user_id = $1
         and ${IS_IN_SIGHT}
       order by t.channel_id, t.topic_key`,
    values: [userId],
  })
  return rows
}

/** What each of these users has muted, in channels that they know of. */
export async function listMutedTopics(
  db: Queryable,
  userIds: readonly number[],
): Promise<Map<number, MutedTopic[]>> {
  const { rows } = await db.query<{ userId: number; topics: MutedTopic[] }>({
    name: 'list-muted-topics',
    text: `
      select t.user_id as "userId",
             json_agg(json_build_array(c.name, t.topic_name, floor(extract(epoch from t.updated_at))::bigint)
                      order by t.channel_id, t.topic_key) as topics
        from user_topics t
        ${SIGHT_OF_CHANNEL}
       where t.user_id = any($1)
         and t.visibility_policy = ${VisibilityPolicy.muted}
         and ${IS_IN_SIGHT}
       group by t.user_id`,
    values: [userIds],
  })
  return new Map(rows.map(({ userId, topics }) => [userId, topics]))
}

/** Whether a user has set something for a topic. */
export async function hasVisibility(
  db: Queryable,
  userId: number,
  { channelId, topic }: TopicPlace,
): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'has-visibility',
    text: `
      select exists (select
                       from user_topics
                      where user_id = $1
                        and channel_id = $2
                        and topic_key = $3) as has`,
    values: [userId, channelId, caseKey(topic)],
  })
  return rows[0]?.has ?? false
}

/** What a user has set for topics, in channels that the user knows of or not. */
export interface TopicPolicies {
  /** For the topic that is asked for; 0 is none. */
  readonly current: number
  readonly count: number
  readonly muted: number
}

/** What a user has set for one topic, and how often for any; under `lockVisibility` it stays so. */
export async function countPolicies(
  tx: Tx,
  userId: number,
  { channelId, topic }: TopicPlace,
): Promise<TopicPolicies> {
  const { rows } = await tx.query<TopicPolicies>({
    name: 'count-policies',
    text: `
      select coalesce(max(visibility_policy) filter (where channel_id = $2 and topic_key = $3), 0) as current,
             count(*) as count,
             count(*) filter (where visibility_policy = ${VisibilityPolicy.muted}) as muted
        from user_topics
       where user_id = $1`,
    values: [userId, channelId, caseKey(topic)],
  })
  return rows[0] ?? { current: VisibilityPolicy.none, count: 0, muted: 0 }
}

/** A channel with topics, and the place of its messages, which to lock keeps it as it is. */
export interface TopicChannel {
  readonly id: number
  readonly recipientId: number
}

/** The channel of this ID in an organization, archived or not. */
export async function findAnyChannel(
  db: Queryable,
  realmId: number,
  channelId: number,
): Promise<TopicChannel | null> {
  const { rows } = await db.query<TopicChannel>({
    name: 'find-any-channel',
    text: 'select id, recipient_id as "recipientId" from channels where id = $2 and realm_id = $1',
    values: [realmId, channelId],
  })
  return rows[0] ?? null
}
