import type { Queryable } from '@tms/service-kit'

/** A message of some sender, as another user sees it. */
export interface SentMessage {
  readonly id: number
  readonly isUnread: boolean
}

/**
 * The sender's next messages after one, in order, each with whether the user has received it and not read it.
 * Goes through the sender's messages rather than through the gaps that reading has left, whose cost is the
 * product of both where one who reads little mutes one who writes much.
 */
export async function listSentTo(
  db: Queryable,
  asked: { userId: number; senderId: number; afterId: number; limit: number },
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
      ), places as materialized (
        select channels.recipient_id, received - read as unread
          from subscriptions
          join channels on channels.id = channel_id
         where user_id = $1
         union all
        select recipient_id, int8multirange(int8range(null, null)) - read
          from conversation_members
         where user_id = $1
      )
      select sent.id, coalesce(places.unread @> sent.id, false) as "isUnread"
        from sent
        left join places on places.recipient_id = sent.recipient_id
       order by sent.id`,
    values: [asked.userId, asked.senderId, asked.afterId, asked.limit],
  })
  return rows
}
