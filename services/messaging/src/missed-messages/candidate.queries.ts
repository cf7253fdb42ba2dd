import { type ActedOnSettings, VisibilityPolicy } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { topicPolicySql } from '../kernel/messages/muting.queries.ts'
import { PARTICIPANT_WINDOW } from '../kernel/messages/participation.queries.ts'
import { DECISIVE_SETTINGS, type NotificationConditions } from './trigger.rules.ts'

/** A user that a message may concern, with what decides that. */
export interface NotificationCandidate
  extends Omit<NotificationConditions, 'isBot' | 'isSender' | 'settings'> {
  readonly messageId: number
  readonly realmId: number
  readonly userId: number
  readonly isSystemSender: boolean
  readonly isNewUser: boolean
  /** As stored: settings that are newer than the projection are missing. */
  readonly settings: Partial<Pick<ActedOnSettings, (typeof DECISIVE_SETTINGS)[number]>>
}

/** Older messages notify nobody: they come from imports and restored databases. */
const MAX_AGE = `interval '1 day'`

/** SQL: the messages of a range that may notify somebody. */
const recent = (condition: string) => `
  select m.id, m.realm_id, m.recipient_id, m.channel_id, m.topic_key, m.sender_id, m.sent_at, m.mentions_channel,
         m.mentions_topic
    from messages m
   where ${condition}
     and m.sent_at > now() - ${MAX_AGE}
     and not exists (select from pending_imports p where p.realm_id = m.realm_id)`

/** SQL: what decides whether users are notified, taken from their projections, which are large, once. */
const ofUsers = (condition: string) => `
  select user_id, to_timestamp((projection -> 'date_joined')::float8) as joined_at,
         projection -> 'muted_user_ids' as muted_user_ids,
         coalesce((projection -> 'has_push_devices')::boolean, false) as has_push_devices,
         jsonb_strip_nulls(jsonb_build_object(${DECISIVE_SETTINGS.map(
           (name) => `'${name}', projection -> 'settings' -> '${name}'`,
         ).join(', ')})) as settings,
         projection -> 'is_bot' = 'false' and projection -> 'is_active' = 'true' as is_person
    from known_users
   where ${condition}`

const columns = (userId: string, mentionsOwnTopic: string) => `
  m.id as "messageId", m.realm_id as "realmId", ${userId} as "userId",
  coalesce((sender.projection -> 'is_system_bot')::boolean, false) as "isSystemSender",
  u.joined_at > m.sent_at - interval '1 minute' as "isNewUser",
  u.muted_user_ids @> to_jsonb(m.sender_id) as "hasMutedSender",
  m.channel_id is null or coalesce(s.is_active, false) as "isRecipient",
  m.channel_id is null as "isDirect",
  coalesce(f.is_mentioned, false) as "isMentioned",
  m.mentions_channel as "mentionsChannel", ${mentionsOwnTopic} as "mentionsOwnTopic",
  coalesce(s.is_muted, false) as "isChannelMuted", (${topicPolicySql('m', 'u.user_id')}) as "topicPolicy",
  s.email_notifications as "emailNotifications", s.wildcard_mentions_notify as "wildcardMentionsNotify",
  s.push_notifications as "pushNotifications", u.has_push_devices as "hasPushDevices", u.settings`

/**
 * Found one by one (`offset 0`): PostgreSQL expects very many messages and users where it has no statistics, and would read these
 * tables as a whole.
 */
const JOINS = `
  left join lateral (select projection from known_users where user_id = m.sender_id offset 0) sender on true
  left join lateral (
         select is_active, is_muted, email_notifications, wildcard_mentions_notify, push_notifications
           from subscriptions
          where channel_id = m.channel_id and user_id = u.user_id
         offset 0) s on true
  left join lateral (
         select is_mentioned from message_flags where message_id = m.id and user_id = u.user_id offset 0) f on true`

/** Bots, inactive accounts and the sender are never notified, so they are left out at once. */
const IS_PERSON = 'u.is_person and u.user_id <> m.sender_id'

/** SQL: a message that concerns all subscribers of its channel. */
const IS_FOR_EVERYONE = 'm.channel_id is not null and (m.mentions_channel or m.mentions_topic)'

/** SQL that bounds and orders the users of each part of a union, by the name of their column. */
type Part = (userId: string) => string

/** SQL: users that the message `m` addresses directly: members of its conversation, or those that it mentions. */
const addressedSql = (part: Part) => `
  (select c.user_id
     from conversation_members c
    where m.channel_id is null
      and c.recipient_id = m.recipient_id
      ${part('c.user_id')})
   union
  (select f.user_id
     from message_flags f
    where m.channel_id is not null
      and f.message_id = m.id
      and f.is_mentioned
      ${part('f.user_id')})`

/** SQL: users who follow the topic of `m`. */
const followersSql = (part: Part) => `
  (select t.user_id
     from user_topics t
    where t.channel_id = m.channel_id
      and t.topic_key = m.topic_key
      and t.visibility_policy = ${VisibilityPolicy.followed}
      ${part('t.user_id')})`

/**
 * SQL: users with a setting in the organization of `m`, by the index that has only them. They are found by themselves, since
 * PostgreSQL expects many of them, and would look for subscribers among all users.
 */
const usersWith = (...settings: readonly string[]) => `
  (select user_id
     from known_users
    where realm_id = m.realm_id
      and ${settings.map((setting) => `projection -> ${setting} = 'true'`).join(' and ')}
   offset 0)`

/**
 * SQL: users that each message to the channel of `m` may concern, by their indexes: those who are notified of all of them by
 * mail or, having one, on a device.
 */
const concernedByChannelSql = (part: Part) => `
  (select s.user_id
     from subscriptions s
    where s.channel_id = m.channel_id
      and s.email_notifications
      ${part('s.user_id')})
   union
  (select s.user_id
     from ${usersWith("'settings' -> 'enable_stream_email_notifications'")} u
     join subscriptions s on s.channel_id = m.channel_id and s.user_id = u.user_id
    where s.is_active
      and s.email_notifications is null
      ${part('s.user_id')})
   union
  (select s.user_id
     from subscriptions s
    cross join lateral (
            select from known_users where user_id = s.user_id and projection -> 'has_push_devices' = 'true' offset 0
          ) u
    where s.channel_id = m.channel_id
      and s.push_notifications
      ${part('s.user_id')})
   union
  (select s.user_id
     from ${usersWith("'has_push_devices'", "'settings' -> 'enable_stream_push_notifications'")} u
     join subscriptions s on s.channel_id = m.channel_id and s.user_id = u.user_id
    where s.is_active
      and s.push_notifications is null
      ${part('s.user_id')})`

type FoundCandidate = NotificationCandidate & {
  /** Null for a user that isn't known here yet, or any more. */
  readonly isPerson: boolean | null
}

const personsOf = (found: readonly FoundCandidate[]): NotificationCandidate[] =>
  found.filter(({ isPerson }) => isPerson === true)

/** SQL: as many users as show that a message concerns too many: one more than the limit, and the sender, who is left out. */
const MORE_THAN_LIMIT = 'limit $3 + 2'

interface UndecidedMessage {
  readonly messageId: number
  readonly realmId: number
}

/**
 * Users that the messages of a range may concern. Messages that concern more than `limit` users are in `crowded`
 * instead, and those that mention everyone in a channel are left out: their users are listed by page.
 */
export async function listCandidates(
  db: Queryable,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<{ readonly candidates: NotificationCandidate[]; readonly crowded: UndecidedMessage[] }> {
  const { rows } = await db.query<FoundCandidate>({
    name: 'list-notification-candidates',
    text: `
      with recent as materialized (
        ${recent(`m.id > $1 and m.id <= $2 and not (${IS_FOR_EVERYONE})`)}
      ), of_channel as materialized (
        -- Once for all messages to a channel.
        select m.channel_id, array(select user_id
                                     from (${concernedByChannelSql(() => MORE_THAN_LIMIT)}) parts
                                    ${MORE_THAN_LIMIT}) as user_ids
          from (select distinct realm_id, channel_id from recent where channel_id is not null) m
      ), of_topic as materialized (
        -- Once for all messages to a topic.
        select m.channel_id, m.topic_key, array${followersSql(() => MORE_THAN_LIMIT)} as user_ids
          from (select distinct channel_id, topic_key from recent where channel_id is not null) m
      ), concerned as materialized (
        select m.*, users.user_id
          from recent m
          left join of_channel using (channel_id)
          left join of_topic using (channel_id, topic_key)
         cross join lateral (
                 select user_id
                   from (${addressedSql(() => MORE_THAN_LIMIT)}
                          union
                         select unnest(of_channel.user_ids)
                          union
                         select unnest(of_topic.user_ids)) parts
                  where user_id <> m.sender_id
                  limit $3 + 1
               ) users
      ), u as materialized (
        ${ofUsers('user_id in (select user_id from concerned)')}
      )
      select ${columns('m.user_id', 'false')}, ${IS_PERSON} as "isPerson"
        from concerned m
        left join u on u.user_id = m.user_id
        ${JOINS}
       order by m.id, m.user_id`,
    values: [after, upTo, limit],
  })
  const messages = [...Map.groupBy(rows, ({ messageId }) => messageId).values()]
  return {
    candidates: personsOf(messages.filter((found) => found.length <= limit).flat()),
    crowded: messages.flatMap((found) => (found.length > limit ? found.slice(0, 1) : [])),
  }
}

/** Users that an edit of a message mentions for the first time. */
export async function listAddedCandidates(
  db: Queryable,
  messageId: number,
  userIds: readonly number[],
): Promise<NotificationCandidate[]> {
  const { rows } = await db.query<NotificationCandidate>({
    name: 'list-added-notification-candidates',
    text: `
      with recent as materialized (
        ${recent('m.id = $1')}
      )
      select ${columns('u.user_id', 'false')}
        from recent m
       cross join (${ofUsers('user_id = any($2::bigint[])')}) u
        ${JOINS}
       where ${IS_PERSON}
       order by u.user_id`,
    values: [messageId, userIds],
  })
  return rows
}

/** The messages of a range that mention everyone in a channel or topic. */
export async function listWildcards(db: Queryable, after: number, upTo: number): Promise<UndecidedMessage[]> {
  const { rows } = await db.query<UndecidedMessage>({
    name: 'list-wildcards-to-decide',
    text: `
      with recent as (
        ${recent(`m.id > $1 and m.id <= $2 and ${IS_FOR_EVERYONE}`)}
      )
      select id as "messageId", realm_id as "realmId" from recent order by id`,
    values: [after, upTo],
  })
  return rows
}

const onPage: Part = (userId) => `and not (${IS_FOR_EVERYONE}) and ${userId} > $2 order by ${userId} limit $3`

/**
 * The next `limit` users after `afterUserId` that one message may concern, by ID: all subscribers if it mentions
 * everyone. `lastUserId` is null if there are no more.
 */
export async function listCandidatesOf(
  db: Queryable,
  messageId: number,
  afterUserId: number,
  limit: number,
): Promise<{ readonly candidates: NotificationCandidate[]; readonly lastUserId: number | null }> {
  const { rows } = await db.query<FoundCandidate>({
    name: 'list-notification-candidates-of-message',
    text: `
      with recent as materialized (
        ${recent('m.id = $1')}
      ), page as materialized (
        select users.user_id
          from recent m
         cross join lateral (
                 (select subscribers.user_id
                    from subscriptions subscribers
                   where ${IS_FOR_EVERYONE}
                     and subscribers.channel_id = m.channel_id
                     and subscribers.user_id > $2
                     and subscribers.is_active
                   order by subscribers.user_id
                   limit $3)
                  union
                 (${addressedSql(onPage)}
                   union
                  ${followersSql(onPage)}
                   union
                  ${concernedByChannelSql(onPage)})
                  order by user_id
                  limit $3
               ) users
      ), in_topic as materialized (
        select p.id, p.sender_id
          from recent m
         cross join lateral (
                 select id, sender_id
                   from messages
                  where recipient_id = m.recipient_id
                    and topic_key = m.topic_key
                    and id < m.id
                  order by id desc
                  limit ${PARTICIPANT_WINDOW}
               ) p
         where m.mentions_topic
      ), participants as materialized (
        select sender_id as user_id
          from in_topic
         union
        select r.user_id
          from in_topic
          join reactions r on r.message_id = in_topic.id
         where r.created_at < (select sent_at from recent)
      )
      select ${columns('page.user_id', 'm.mentions_topic and page.user_id in (select user_id from participants)')},
             ${IS_PERSON} as "isPerson"
        from recent m
       cross join page
        left join lateral (${ofUsers('user_id = page.user_id')}) u on true
        ${JOINS}
       order by page.user_id`,
    values: [messageId, afterUserId, limit],
  })
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { candidates: personsOf(rows), lastUserId: last?.userId ?? null }
}

/** The rendered texts of messages, which say how users are mentioned. */
export async function listRenderedTexts(
  db: Queryable,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await db.query<{ id: number; html: string }>({
    name: 'list-rendered-texts-to-decide',
    text: 'select id, rendered_content as html from messages where id = any($1::bigint[])',
    values: [messageIds],
  })
  return new Map(rows.map(({ id, html }) => [id, html]))
}

/**
 * Of mentioned groups, each with its direct members, those that a user is in, also by subgroups; the smallest first.
 * Members of a system group within them count as in none.
 */
export async function listGroupsOf(
  db: Queryable,
  groupIds: readonly number[],
): Promise<{ groupId: number; memberIds: ReadonlySet<number> }[]> {
  const { rows } = await db.query<{ groupId: number; memberIds: number[] }>({
    name: 'list-mentioned-groups',
    text: `
      with recursive within (mentioned_id, group_id) as (
        select id, id from unnest($1::bigint[]) as mentioned (id)
         union
        select within.mentioned_id, subgroup.group_id
          from within
          join known_groups g on g.group_id = within.group_id and not g.is_deleted and not g.is_deactivated
         cross join lateral unnest(g.subgroup_ids) as subgroup (group_id)
      )
      select within.mentioned_id as "groupId", to_json(array_agg(distinct member.user_id)) as "memberIds"
        from within
        join known_groups g on g.group_id = within.group_id and not g.is_deleted and not g.is_deactivated
       cross join lateral unnest(g.member_ids) as member (user_id)
       group by within.mentioned_id
       order by (select cardinality(m.member_ids) from known_groups m where m.group_id = within.mentioned_id),
                within.mentioned_id`,
    values: [groupIds],
  })
  return rows.map(({ groupId, memberIds }) => ({ groupId, memberIds: new Set(memberIds) }))
}

/** The names of groups that exist. */
export async function listGroupNames(
  db: Queryable,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (groupIds.length === 0) return new Map()
  const { rows } = await db.query<{ id: number; name: string }>({
    name: 'list-names-of-mentioned-groups',
    text: 'select group_id as id, name from known_groups where group_id = any($1::bigint[])',
    values: [groupIds],
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
