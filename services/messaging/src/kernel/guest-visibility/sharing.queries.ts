import { Role, userRules } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { refusesSql } from '../access/access-sql.ts'

/**
 * SQL: whether two users share a channel, or a direct conversation that has had a message. Each side is an expression
 * for a user ID. It is evaluated per user, so it costs as much as the two have channels and conversations: `offset 0`
 * keeps PostgreSQL from computing it for all conversations at once.
 */
export const shares = (one: string, other: string): string => `(
  exists (
    select from subscriptions own
      join subscriptions theirs on theirs.channel_id = own.channel_id
     where own.user_id = ${one}
       and own.is_active
       and theirs.user_id = ${other}
       and theirs.is_active
    offset 0)
  or exists (
    select from conversation_members own
      join conversation_members theirs on theirs.recipient_id = own.recipient_id
      join recipients on recipients.id = own.recipient_id
     where own.user_id = ${one}
       and theirs.user_id = ${other}
       and recipients.last_message_id > 0
    offset 0))`

/** SQL: whether a user, who is no bot, is invisible to a guest with restricted visibility. */
const isInvisible = (userId: string, guestId: string): string =>
  refusesSql(userRules.see, {
    role: Role.guest,
    isRestricted: true,
    isBot: false,
    isSelf: `${userId} = ${guestId}`,
    isConnected: shares(guestId, userId),
  })

/** Those of the users that share nothing with a guest. */
export async function listInvisibleUsers(
  db: Queryable,
  guestId: number,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return []
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-invisible-users',
    text: `
      select other_user.user_id as "userId"
        from unnest($2::bigint[]) as other_user (user_id)
       where ${isInvisible('other_user.user_id', '$1')}`,
    values: [guestId, userIds],
  })
  return rows.map(({ userId }) => userId)
}

/** Those of the guests who share nothing with at least one of the users. */
export async function listGuestsNotSeeingAll(
  db: Queryable,
  guestIds: readonly number[],
  userIds: readonly number[],
): Promise<number[]> {
  if (guestIds.length === 0 || userIds.length === 0) return []
  const { rows } = await db.query<{ guestId: number }>({
    name: 'list-guests-not-seeing-all',
    text: `
      select distinct guest.user_id as "guestId"
        from unnest($1::bigint[]) as guest (user_id)
       cross join unnest($2::bigint[]) as other_user (user_id)
       where ${isInvisible('other_user.user_id', 'guest.user_id')}`,
    values: [guestIds, userIds],
  })
  return rows.map(({ guestId }) => guestId)
}

/** All users that share something with each of the guests, by guest ID. */
export async function listVisibleUsers(
  db: Queryable,
  guestIds: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await db.query<{ guestId: number; userIds: number[] }>({
    name: 'list-visible-users',
    text: `
      select guest.user_id as "guestId", coalesce(visible.user_ids, '[]') as "userIds"
        from unnest($1::bigint[]) as guest (user_id)
       cross join lateral (
         select json_agg(user_id order by user_id) as user_ids
           from (
             select theirs.user_id
               from subscriptions own
               join subscriptions theirs on theirs.channel_id = own.channel_id
              where own.user_id = guest.user_id
                and own.is_active
                and theirs.is_active
              union
             select unnest(conversations.user_ids)
               from conversation_members own
               join recipients on recipients.id = own.recipient_id
               join conversations on conversations.recipient_id = own.recipient_id
              where own.user_id = guest.user_id
                and recipients.last_message_id > 0
           ) sharing
          where user_id <> guest.user_id
       ) visible`,
    values: [guestIds],
  })
  return new Map(rows.map(({ guestId, userIds }) => [guestId, userIds]))
}
