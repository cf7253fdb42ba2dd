import type { Queryable } from '@tms/service-kit'

/**
 * What a user has not read of one sender, after a message, in order. Looks up each gap that reading has left
 * in what was received among the sender's messages.
 */
export async function listUnreadOf(
  db: Queryable,
  asked: { userId: number; senderId: number; afterId: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'list-unread-of-sender',
    text: `
      with gaps as materialized (
        select recipients.id as recipient_id, gap
          from subscriptions
          join channels on channels.id = channel_id
          join recipients on recipients.id = channels.recipient_id
         cross join lateral unnest(
                 received * int8multirange(int8range($3, last_message_id, '(]')) - read) as gap
         where user_id = $1
           and is_active
           and last_message_id > $3
        union all
        select recipients.id, gap
          from conversation_members
          join recipients on recipients.id = recipient_id
         cross join lateral unnest(int8multirange(int8range($3, last_message_id, '(]')) - read) as gap
         where user_id = $1
           and last_message_id > $3
      )
      select unread.id
        from gaps
       cross join lateral (
              select m.id
                from messages m
               where m.recipient_id = gaps.recipient_id
                 and m.sender_id = $2
                 and m.id >= lower(gap)
                 and m.id < upper(gap)
               order by m.id
               limit $4) unread
       order by unread.id
       limit $4`,
    values: [asked.userId, asked.senderId, asked.afterId, asked.limit],
  })
  return rows.map(({ id }) => id)
}
