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

/** SQL: the channels and conversations whose messages are in the export, by recipient ID. */
const recipientsIn = (scope: ExportScope): string =>
  scope === 'full'
    ? '(select id from recipients where realm_id = $1 order by id)'
    : '(select recipient_id as id from channels where realm_id = $1 and not invite_only order by recipient_id)'

/**
 * SQL: the messages in the export, as `m`, by recipient: only the index by recipient separates one organization's
 * messages from those of others. PostgreSQL doesn't reorder the ordered subqueries.
 */
export const messagesIn = (scope: ExportScope): string => `
  ${recipientsIn(scope)} as recipient
  cross join lateral (select * from messages where recipient_id = recipient.id order by id) as m`

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
