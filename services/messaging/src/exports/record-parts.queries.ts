import type { ExportScope } from '@tms/contracts'

/** SQL fragments that several kinds of records share. */

/** A time in UNIX seconds. `to_timestamp` restores it to the microsecond. */
export const secondsOf = (time: string): string => `extract(epoch from ${time})::float8`

/** Ranges of IDs as a list of first and last ID. */
export const listOfRanges = (ranges: string): string => `(
  select coalesce(json_agg(json_build_array(lower(ids), upper(ids) - 1) order by ids), '[]')
    from unnest(${ranges}) as ids)`

/** Such a list, as jsonb, as ranges again. */
export const rangesOfList = (list: string): string => `(
  select coalesce(range_agg(int8range((ids ->> 0)::bigint, (ids ->> 1)::bigint, '[]')), '{}')
    from jsonb_array_elements(${list}) as ids)`

/** SQL: the users who let their private data be exported, and their bots. */
const CONSENTING = `
  select known.user_id
    from known_users known
    left join known_users owner on owner.user_id = (known.projection ->> 'bot_owner_id')::bigint
   where known.realm_id = $1
     and coalesce(owner.projection, known.projection) @> '{"settings": {"allow_private_data_export": true}}'`

/** SQL: the subscriptions of those users to the channel `c`, whose private messages they may read. */
const CONSENTING_SUBSCRIPTIONS = `
  subscriptions s where s.channel_id = c.id and s.is_active and s.user_id in (select user_id from consenting)`

/**
 * SQL: a prefix for the queries of the scope `consent`, empty for others. `consenting` are the users above, `exported`
 * the recipients of messages that everyone or one of them may read. In a channel with a protected history they may read
 * the messages `received`, which is null elsewhere.
 */
export const withConsent = (scope: ExportScope): string =>
  scope === 'consent'
    ? `
  with consenting as materialized (${CONSENTING}),
       exported as materialized (
         select c.recipient_id as id, null::int8multirange as received
           from channels c
          where c.realm_id = $1
            and (not c.invite_only
                 or c.history_public_to_subscribers and exists (select from ${CONSENTING_SUBSCRIPTIONS}))
          union all
         select c.recipient_id,
                (select coalesce(range_agg(ids), '{}')
                   from (select unnest(s.received) as ids from ${CONSENTING_SUBSCRIPTIONS}) as of_users)
           from channels c
          where c.realm_id = $1
            and c.invite_only
            and not c.history_public_to_subscribers
            and exists (select from ${CONSENTING_SUBSCRIPTIONS})
          union all
         select recipient_id, null
           from conversations
          where realm_id = $1
            and user_ids && array(select user_id from consenting))`
    : ''

/** SQL: a condition for data of a single user. */
export const andConsents = (scope: ExportScope, userId: string): string =>
  scope === 'consent' ? `and ${userId} in (select user_id from consenting)` : ''

/** SQL: a condition for what belongs to a channel or conversation. */
export const andExported = (scope: ExportScope, recipientId: string): string =>
  scope === 'consent' ? `and ${recipientId} in (select id from exported)` : ''

/** SQL: whether the message `message` is one that the users may read in the recipient `place`. */
const mayBeRead = (message: string, place: string): string => `
  (${place}.received is null
   or ${place}.received @> ${message}.id
   or exists (select from message_flags
               where message_id = ${message}.id and is_historical and user_id in (select user_id from consenting)))`

/** SQL: a condition for a scheduled message: of a consenting sender, to a place that is in the export. */
export const andScheduled = (scope: ExportScope, scheduled: string): string =>
  scope === 'consent'
    ? `and ${scheduled}.sender_id in (select user_id from consenting)
       and (${scheduled}.channel_id is null
            or ${scheduled}.channel_id in (
                 select c.id from channels c join exported on exported.id = c.recipient_id))`
    : ''

/** SQL: joins the messages `m` of the scope `consent` with what decides that they are in it. */
export const JOIN_EXPORTED = `join exported on exported.id = m.recipient_id and ${mayBeRead('m', 'exported')}`

/** SQL: the channels and conversations whose messages are in the export, by recipient ID. */
const recipientsIn: Readonly<Record<ExportScope, string>> = {
  public:
    '(select recipient_id as id from channels where realm_id = $1 and not invite_only order by recipient_id)',
  consent: '(select id, received from exported order by id)',
  full: '(select id from recipients where realm_id = $1 order by id)',
}

/**
 * SQL: the messages in the export, as `m`, by recipient: only the index by recipient separates one organization's
 * messages from those of others. PostgreSQL doesn't reorder the ordered subqueries. Needs `withConsent`.
 */
export const messagesIn = (scope: ExportScope): string => `
  ${recipientsIn[scope]} as recipient
  cross join lateral (
          select *
            from messages
           where recipient_id = recipient.id
             ${scope === 'consent' ? `and ${mayBeRead('messages', 'recipient')}` : ''}
           order by id) as m`

/** Whether this is a user of the organization. */
export const isUser = (userId: string): string =>
  `exists (select from known_users u where u.user_id = ${userId} and u.realm_id = $1)`

/** Whether all in this list, which is jsonb, are users of the organization. */
export const areUsers = (userIds: string): string => `not exists (
  select
    from jsonb_array_elements_text(${userIds}) as listed (user_id)
   where not ${isUser('listed.user_id::bigint')})`

/** Whether this is a channel of the organization. */
export const isChannel = (channelId: string): string =>
  `exists (select from channels c where c.id = ${channelId} and c.realm_id = $1)`

/** Whether this is a message of the organization. */
export const isMessage = (messageId: string): string =>
  `exists (select from messages m where m.id = ${messageId} and m.realm_id = $1)`
