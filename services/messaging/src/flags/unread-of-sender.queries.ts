import type { Queryable } from '@tms/service-kit'

/** A message of a sender, and whether it is unread for another user. */
export interface SentMessage {
  readonly id: number
  readonly isUnread: boolean
}

/**
 * Lists the sender's next messages after one, in order, each with whether the user has received and not read it.
 * Scans the messages of the sender instead of the user's unread gaps: the cost of those would be the product of
 * both for a user who reads little and mutes a sender of many messages.
 */
export async function listNextSent(
  db: Queryable,
  requested: { userId: number; senderId: number; afterId: number; limit: number },
): Promise<SentMessage[]> {
  const { rows } = await db.query<SentMessage>({
    name: 'list-sent-to',
    text: `
      with sent as materialized (
        select id, recipient_id
          from messages
         where sender_id = $2
           and id > $3
         order by id
         limit $4
      ), recipients_unread as materialized (
        select channels.recipient_id, received - read as unread
          from subscriptions
          join channels on channels.id = channel_id
         where user_id = $1
         union all
        select recipient_id, int8multirange(int8range(null, null)) - read
          from conversation_members
         where user_id = $1
      )
      select sent.id, coalesce(recipients_unread.unread @> sent.id, false) as "isUnread"
        from sent
        left join recipients_unread on recipients_unread.recipient_id = sent.recipient_id
       order by sent.id`,
    values: [requested.userId, requested.senderId, requested.afterId, requested.limit],
  })
  return rows
}
