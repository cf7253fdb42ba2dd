import type { EditHistoryEntry } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { grantColumns } from '../access/access.queries.ts'
import { newestEditsSql } from './edit-history.queries.ts'
import { isMutedSql, topicPolicySql } from './muting.queries.ts'
import { isParticipantSql } from './participation.queries.ts'

/** A message as one user sees it. */
export interface MessageView {
  readonly id: number
  readonly senderId: number
  readonly recipientId: number
  readonly topic: string
  /** UNIX seconds. */
  readonly timestamp: number
  /** UNIX seconds; null if its text was never edited. */
  readonly lastEditTimestamp: number | null
  /** UNIX seconds; null if it never got another topic or channel. */
  readonly lastMovedTimestamp: number | null
  /** Newest first; null if never edited, or not requested. */
  readonly editHistory: readonly EditHistoryEntry[] | null
  readonly client: string
  /** HTML; null if not requested. */
  readonly html: string | null
  /** Markdown; null if not requested. */
  readonly raw: string | null
  readonly isMeMessage: boolean
  /** The channel; null for a direct message. */
  readonly channel: ViewedChannel | null
  /** Members of the conversation; null for a channel message. */
  readonly userIds: readonly number[] | null
  /** The user received it, rather than only being able to read it in the history. */
  readonly isReceived: boolean
  readonly isRead: boolean
  /** The user has a row of flags for it, received or not. */
  readonly hasFlags: boolean
  readonly isStarred: boolean
  readonly isCollapsed: boolean
  readonly isMentioned: boolean
  readonly mentionsChannel: boolean
  readonly mentionsTopic: boolean
  /** It mentions its topic, and the user is a participant of that. */
  readonly mentionsOwnTopic: boolean
  readonly hasAlertWord: boolean
  readonly isHistorical: boolean
}

export interface ViewedChannel {
  readonly id: number
  readonly name: string
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  readonly historyPublicToSubscribers: boolean
  readonly isArchived: boolean
  readonly isSubscribed: boolean
  /** A permission lets the user read it. */
  readonly isReader: boolean
  /** The user muted the channel or the topic, and did not choose to see the topic. */
  readonly isMuted: boolean
}

/** Fields that may be long, and are read only if they are used. */
export interface WantedTexts {
  readonly html?: boolean
  readonly raw?: boolean
  /** Earlier versions, which can be longer than everything else. */
  readonly history?: boolean
}

/**
 * For so many IDs, as a page has, a plan that is made once is good enough, for the ten that PostgreSQL expects if it doesn't see them;
 * planning each time would take 1.5 ms. For more, the plan depends on how many they are.
 */
const MAX_IDS_OF_GENERIC_PLAN = 100

/**
 * Lists these messages as a user sees them, in the order of their IDs. Unknown ones and those of other
 * organizations are missing. Doesn't check whether the user may see them.
 */
export async function listMessageViews(
  db: Queryable,
  user: { realmId: number; userId: number },
  messageIds: readonly number[],
  { html = false, raw = false, history = false }: WantedTexts,
): Promise<MessageView[]> {
  if (messageIds.length === 0) return []
  const areFew = messageIds.length <= MAX_IDS_OF_GENERIC_PLAN
  const { rows } = await db.query<MessageView>({
    name: areFew ? 'list-few-message-views' : 'list-message-views',
    text: viewsSql({
      ...{ realmId: '$1', userId: '$2', ids: areFew ? '(select $3::bigint[])::bigint[]' : '$3::bigint[]' },
      html: 'case when $4::boolean then m.rendered_content end',
      raw: 'case when $5::boolean then m.content end',
      history: '$6',
    }),
    values: [user.realmId, user.userId, messageIds, html, raw, history],
  })
  return rows
}

/** Messages to read as one user sees them. */
export interface WantedViews {
  readonly realmId: number
  readonly userId: number
  readonly messageIds: readonly number[]
}

/**
 * Lists a few messages of each of several users as that user sees them. Returns them by user; one statement reads all. Otherwise
 * as `listMessageViews`, with no more than so many characters of each HTML and raw text.
 */
export async function listMessageViewsOfUsers(
  db: Queryable,
  wanted: readonly WantedViews[],
  limits: { readonly html: number; readonly raw: number },
): Promise<ReadonlyMap<number, MessageView[]>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await db.query<MessageView & { readonly viewerId: number }>({
    name: 'list-message-views-of-users',
    text: `
      select wanted.user_id as "viewerId", views.*
        from unnest($1::bigint[], $2::bigint[], $3::text[]) as wanted (realm_id, user_id, ids)
       cross join lateral (${viewsSql({
         ...{ realmId: 'wanted.realm_id', userId: 'wanted.user_id', ids: 'wanted.ids::bigint[]' },
         ...{ html: 'left(m.rendered_content, $4)', raw: 'left(m.content, $5)', history: 'false' },
       })}) views`,
    values: [
      wanted.map(({ realmId }) => realmId),
      wanted.map(({ userId }) => userId),
      wanted.map(({ messageIds }) => `{${messageIds.join(',')}}`),
      limits.html,
      limits.raw,
    ],
  })
  return Map.groupBy(rows, ({ viewerId }) => viewerId)
}

/** SQL expressions for the user, the IDs, the texts of the message `m`, and whether to read its earlier versions. */
type ViewParameters = Readonly<Record<'realmId' | 'userId' | 'ids' | keyof WantedTexts, string>>

/**
 * SQL: messages as a user sees them, in the order of their IDs.
 *
 * `received` and `read` are first cut down to the range of the page: unpacking a large multirange for each message
 * would cost more than everything else.
 */
const viewsSql = ({ realmId, userId, ids, html, raw, history }: ViewParameters): string => `
      with page as materialized (
        select m.*
          from messages m
         where m.id = any(${ids})
           and m.realm_id = ${realmId}
      ), span as materialized (
        select int8range(min(id), max(id) + 1) as ids
          from page
      ), subscribed as materialized (
        select s.channel_id, s.is_active or s.is_in_archive as is_subscribed, s.is_muted,
               s.received * int8multirange(span.ids) as received,
               s.read * int8multirange(span.ids) as read
          from span, subscriptions s
         where s.user_id = ${userId}
           and s.channel_id in (select channel_id from page)
      ), joined as materialized (
        select c.recipient_id, c.read * int8multirange(span.ids) as read
          from span, conversation_members c
         where c.user_id = ${userId}
           and c.recipient_id in (select recipient_id from page where channel_id is null)
      )
      select m.id, m.sender_id as "senderId", m.recipient_id as "recipientId", m.topic,
             floor(extract(epoch from m.sent_at))::bigint as timestamp,
             floor(extract(epoch from m.last_edit_at))::bigint as "lastEditTimestamp",
             floor(extract(epoch from m.last_moved_at))::bigint as "lastMovedTimestamp",
             case when ${history}::boolean then ${newestEditsSql('m.edit_history')} end as "editHistory", m.client,
             ${html} as html,
             ${raw} as raw,
             starts_with(m.content, '/me ') as "isMeMessage",
             case when c.id is not null then json_build_object(
               'id', c.id, 'name', c.name, 'inviteOnly', c.invite_only, 'isWebPublic', c.is_web_public,
               'historyPublicToSubscribers', c.history_public_to_subscribers,
               'isArchived', c.is_archived, 'isSubscribed', coalesce(s.is_subscribed, false),
               'isReader', ${grantColumns('c', userId).isReader}, 'isMuted', ${isMutedSql(`(${topicPolicySql('m', userId)})`, 'coalesce(s.is_muted, false)')}) end as channel,
             to_json(v.user_ids) as "userIds",
             j.recipient_id is not null or coalesce(s.received @> m.id, false) as "isReceived",
             case when m.channel_id is null then coalesce(j.read @> m.id, false)
                  else not coalesce(s.received @> m.id, false) or s.read @> m.id
             end as "isRead",
             f.user_id is not null as "hasFlags",
             coalesce(f.is_starred, false) as "isStarred",
             coalesce(f.is_collapsed, false) as "isCollapsed",
             coalesce(f.is_mentioned, false) as "isMentioned",
             m.mentions_channel as "mentionsChannel",
             m.mentions_topic as "mentionsTopic",
             m.mentions_topic and ${isParticipantSql(userId)} as "mentionsOwnTopic",
             coalesce(f.has_alert_word, false) as "hasAlertWord",
             coalesce(f.is_historical, false) as "isHistorical"
        from page m
        left join channels c on c.id = m.channel_id
        left join subscribed s on s.channel_id = m.channel_id
        left join conversations v on v.recipient_id = m.recipient_id
        left join joined j on j.recipient_id = m.recipient_id
        left join message_flags f on f.message_id = m.id and f.user_id = ${userId}
       order by m.id`

/** Approximate size of a submessage, a reaction or a recipient, without texts of variable length. */
const ITEM_BYTES = 200

/**
 * Returns the approximate size of these messages in bytes, by ID: the wanted texts, with the whole edit history,
 * and the items of which there can be many.
 */
export async function measureMessages(
  db: Queryable,
  { realmId }: { realmId: number },
  messageIds: readonly number[],
  { html = false, raw = false, history = false }: WantedTexts,
): Promise<ReadonlyMap<number, number>> {
  // The length of a long text is known without reading it.
  const { rows } = await db.query<{ id: number; bytes: number }>({
    name: 'weigh-messages',
    text: `
      select m.id,
             case when $3::boolean then octet_length(m.rendered_content) else 0 end
             + case when $4::boolean then octet_length(m.content) else 0 end
             + case when $5::boolean then coalesce(octet_length(m.edit_history::text), 0) else 0 end
             + coalesce(attached.bytes, 0)
             + ${ITEM_BYTES} * coalesce(reacted.count, 0)
             + case when m.channel_id is null then ${ITEM_BYTES} * coalesce((
                 select cardinality(user_ids)
                   from conversations
                  where conversations.recipient_id = m.recipient_id), 0) else 0 end as bytes
        from messages m
        left join (
          select message_id, sum(octet_length(msg_type) + octet_length(content) + ${ITEM_BYTES})::bigint as bytes
            from submessages
           where message_id = any($2::bigint[])
           group by message_id
        ) attached on attached.message_id = m.id
        left join (
          select message_id, count(*) as count
            from reactions
           where message_id = any($2::bigint[])
           group by message_id
        ) reacted on reacted.message_id = m.id
       where m.id = any($2::bigint[])
         and m.realm_id = $1`,
    values: [realmId, messageIds, html, raw, history],
  })
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}
