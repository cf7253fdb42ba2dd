import type { MutedTopic, UserTopic } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'

/** Users share this many locks: each takes memory of the server's, and one change may concern very many. */
const LOCKS = 256

/**
 * Lets these users' visibility of topics be changed by one transaction at a time: each event tells all that a
 * user has muted, so it must show what came before. Taken after any other lock, in one go, in one order.
 */
export async function lockVisibility(tx: Tx, userIds: readonly number[]): Promise<void> {
  const locks = [...new Set(userIds.map((userId) => userId % LOCKS))].sort((a, b) => a - b)
  await tx.query({
    name: 'lock-visibility',
    text: `
      select pg_advisory_xact_lock(hashtext('user_topics'), lock)
        from unnest($1::integer[]) as lock`,
    values: [locks],
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

/** Stores how users want to see a topic, and returns those for whom it was another way before, in order. */
export async function storeVisibility(
  tx: Tx,
  { channelId, topic }: TopicPlace,
  changes: readonly VisibilityChange[],
  updatedAt: Date,
): Promise<number[]> {
  const { rows } = await tx.query<{ userId: number }>({
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
      )
      select user_id as "userId" from removed
       union all
      select user_id from stored
       order by 1`,
    values: [
      channelId,
      caseKey(topic),
      topic,
      updatedAt,
      changes.map(({ userId }) => userId),
      changes.map(({ visibility }) => visibility),
    ],
  })
  return rows.map(({ userId }) => userId)
}

/** Topics for which a user wants something, in channels that still exist. */
export async function listUserTopics(db: Queryable, userId: number): Promise<UserTopic[]> {
  const { rows } = await db.query<UserTopic>({
    name: 'list-user-topics',
    text: `
      select t.channel_id as stream_id, t.topic_name, t.visibility_policy,
             floor(extract(epoch from t.updated_at))::bigint as last_updated
        from user_topics t
        join channels c on c.id = t.channel_id
       where t.user_id = $1
         and not c.is_archived
       order by t.channel_id, t.topic_key`,
    values: [userId],
  })
  return rows
}

/** What each of these users has muted, in channels that still exist. */
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
        join channels c on c.id = t.channel_id
       where t.user_id = any($1)
         and t.visibility_policy = 1
         and not c.is_archived
       group by t.user_id`,
    values: [userIds],
  })
  return new Map(rows.map(({ userId, topics }) => [userId, topics]))
}

/** Whether an organization has this channel, archived or not. */
export async function channelExists(db: Queryable, realmId: number, channelId: number): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'channel-exists',
    text: 'select exists (select from channels where id = $2 and realm_id = $1) as found',
    values: [realmId, channelId],
  })
  return rows[0]?.found ?? false
}
