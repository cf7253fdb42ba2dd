import type { MessageFlag } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'

/** A message and its recipient; `channelId` is null for a direct message. */
export interface MessageLocation {
  readonly messageId: number
  readonly recipientId: number
  readonly channelId: number | null
}

/** Lists those of `userIds` who received a message. */
export async function listReceivers(
  tx: Tx,
  { messageId, recipientId, channelId }: MessageLocation,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return []
  const { rows } = await tx.query<{ userId: number }>({
    name: 'list-receivers',
    text: `
      select user_id as "userId"
        from subscriptions
       where channel_id = $3
         and user_id = any($4::bigint[])
         and received @> $1::bigint
       union
      select user_id
        from conversation_members
       where recipient_id = $2
         and user_id = any($4::bigint[])`,
    values: [messageId, recipientId, channelId, userIds],
  })
  return rows.map(({ userId }) => userId)
}

/**
 * Replaces the flags of mentioned users and of users with alert words in the message; without comparing each user with all,
 * who may be 100,000.
 */
export async function replaceMentionFlags(
  tx: Tx,
  messageId: number,
  {
    mentionedUserIds,
    alertedUserIds,
  }: { mentionedUserIds: readonly number[]; alertedUserIds: readonly number[] },
): Promise<void> {
  await tx.query({
    name: 'clear-mention-flags',
    text: `
      update message_flags
         set is_mentioned = is_mentioned and user_id in (select unnest($2::bigint[])),
             has_alert_word = has_alert_word and user_id in (select unnest($3::bigint[]))
       where message_id = $1
         and (is_mentioned or has_alert_word)`,
    values: [messageId, mentionedUserIds, alertedUserIds],
  })
  await tx.query({
    name: 'set-mention-flags',
    text: `
      insert into message_flags (user_id, message_id, is_mentioned, has_alert_word)
      select user_id, $1, bool_or(is_mentioned), bool_or(not is_mentioned)
        from (select unnest($2::bigint[]) as user_id, true as is_mentioned
               union all
              select unnest($3::bigint[]), false) as notified
       group by user_id
       order by user_id
          on conflict (user_id, message_id) do update
         set is_mentioned = excluded.is_mentioned,
             has_alert_word = excluded.has_alert_word`,
    values: [messageId, mentionedUserIds, alertedUserIds],
  })
}

/** Lists the flags of single users on a message, without `read`. */
export async function listSparseFlags(tx: Tx, messageId: number): Promise<Map<number, MessageFlag[]>> {
  const { rows } = await tx.query<{ userId: number; flags: MessageFlag[] }>({
    name: 'list-sparse-flags',
    text: `
      select user_id as "userId",
             array_to_json(array_remove(array[
               case when is_starred then 'starred' end,
               case when is_collapsed then 'collapsed' end,
               case when is_mentioned then 'mentioned' end,
               case when has_alert_word then 'has_alert_word' end,
               case when is_historical then 'historical' end], null)) as flags
        from message_flags
       where message_id = $1`,
    values: [messageId],
  })
  return new Map(rows.filter(({ flags }) => flags.length > 0).map(({ userId, flags }) => [userId, flags]))
}

/** Lists receivers of a message who have not read it. */
export async function listUnreadBy(
  tx: Tx,
  { messageId, recipientId, channelId }: MessageLocation,
): Promise<number[]> {
  const { rows } = await tx.query<{ userIds: number[] | null }>({
    name: 'list-unread-by',
    text: `
      select json_agg(user_id order by user_id) as "userIds"
        from (select user_id
                from subscriptions
               where channel_id = $3
                 and received @> $1::bigint
                 and not read @> $1::bigint
               union all
              select user_id
                from conversation_members
               where recipient_id = $2
                 and not read @> $1::bigint) unread`,
    values: [messageId, recipientId, channelId],
  })
  return rows[0]?.userIds ?? []
}

/** Lists subscribers who never received a message of their channel. */
export async function listNonReceivers(tx: Tx, channelId: number, messageId: number): Promise<number[]> {
  const { rows } = await tx.query<{ userIds: number[] | null }>({
    name: 'list-non-receivers',
    text: `
      select json_agg(user_id order by user_id) as "userIds"
        from subscriptions
       where channel_id = $1
         and is_active
         and not received @> $2::bigint`,
    values: [channelId, messageId],
  })
  return rows[0]?.userIds ?? []
}
