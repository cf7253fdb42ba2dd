import { channelRules, type MutedTopic, Role, type UserTopic, VisibilityPolicy } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { channelColumns, grantColumns, PUBLISHED_ROLE } from '../kernel/access/access.queries.ts'
import { allowsSql } from '../kernel/access/access-sql.ts'
import { locks } from '../kernel/locks/locks.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/** SQL: joins what `IS_CHANNEL_VISIBLE` needs to rows `t` with a user and a channel. */
export const CHANNEL_VISIBILITY_JOINS = `
  join channels c on c.id = t.channel_id
  left join subscriptions s on s.channel_id = t.channel_id and s.user_id = t.user_id
  left join known_users on known_users.user_id = t.user_id`

/**
 * SQL: whether the user of a row `t` sees its channel, by the last published role. A user who is not known yet is a new
 * member.
 */
export const IS_CHANNEL_VISIBLE = allowsSql(channelRules.see, {
  ...channelColumns('c'),
  ...grantColumns('c', 't.user_id'),
  isSubscribed: 'coalesce(s.is_active, false)',
  role: `coalesce(${PUBLISHED_ROLE}, ${Role.member})`,
})

export const USER_TOPIC_COLUMNS = `
  t.channel_id as stream_id, t.topic_name, t.visibility_policy,
  floor(extract(epoch from t.updated_at))::bigint as last_updated`

/**
 * Number of locks that the users of an organization share: each takes memory of the server, and one change may
 * affect very many users.
 */
const LOCKS = 256

/**
 * Makes one transaction at a time change the topic policies of these users: each event contains all muted topics
 * of a user, so it must reflect earlier changes. Taken at once and in order.
 */
export async function lockVisibility(tx: Tx, realmId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const locksOfUsers = [...new Set(userIds.map((userId) => userId % LOCKS))].sort((a, b) => a - b)
  tx.lockRecord.add(locks.topicPolicies, locksOfUsers)
  await tx.query({
    name: 'lock-visibility',
    text: `
      select pg_advisory_xact_lock(hashtext('user_topics of ' || $1::bigint), lock)
        from unnest($2::integer[]) as lock`,
    values: [realmId, locksOfUsers],
  })
}

/** A topic of a channel, as the user spells it. */
export interface TopicRef {
  readonly channelId: number
  readonly topic: string
}

export interface VisibilityChange {
  readonly userId: number
  readonly visibility: number
}

/** A user whose policy changed; if the channel is not visible to the user, that isn't published. */
export interface ChangedVisibility {
  readonly userId: number
  readonly isVisible: boolean
}

/** Stores topic policies of users, and returns the users whose policy changed, in order. */
export async function storeVisibility(
  tx: Tx,
  { channelId, topic }: TopicRef,
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
      select t.user_id as "userId", ${IS_CHANNEL_VISIBLE} as "isVisible"
        from t
        ${CHANNEL_VISIBILITY_JOINS}
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

/** Lists the topic policies of a user in visible channels. */
export async function listUserTopics(db: Queryable, userId: number): Promise<UserTopic[]> {
  const { rows } = await db.query<UserTopic>({
    name: 'list-user-topics',
    text: `
      select ${USER_TOPIC_COLUMNS}
        from user_topics t
        ${CHANNEL_VISIBILITY_JOINS}
       where t.user_id = $1
         and ${IS_CHANNEL_VISIBLE}
       order by t.channel_id, t.topic_key`,
    values: [userId],
  })
  return rows
}

/** Lists the muted topics of these users in visible channels. */
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
        ${CHANNEL_VISIBILITY_JOINS}
       where t.user_id = any($1)
         and t.visibility_policy = ${VisibilityPolicy.muted}
         and ${IS_CHANNEL_VISIBLE}
       group by t.user_id`,
    values: [userIds],
  })
  return new Map(rows.map(({ userId, topics }) => [userId, topics]))
}

/** Whether a user has a policy for a topic. */
export async function hasVisibility(
  db: Queryable,
  userId: number,
  { channelId, topic }: TopicRef,
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

/** Number of topic policies of a user, in visible and other channels. */
export interface TopicPolicies {
  /** Policy for the requested topic; 0 is none. */
  readonly current: number
  readonly count: number
  readonly muted: number
}

/** Returns the policy of a user for one topic, and counts all. Under `lockVisibility` neither changes. */
export async function countPolicies(
  tx: Tx,
  userId: number,
  { channelId, topic }: TopicRef,
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

/** A channel and its recipient, whose lock prevents changes of the channel. */
export interface TopicChannel {
  readonly id: number
  readonly recipientId: number
}

/** Finds a channel of an organization by ID, archived or not. */
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
