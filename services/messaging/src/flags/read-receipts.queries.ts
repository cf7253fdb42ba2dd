import type { Queryable } from '@tms/service-kit'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'

const IN_CHANNEL = {
  name: 'list-readers-in-channel',
  text: listing(`
      select user_id
        from subscriptions
       where channel_id = $3
         and received @> $2::bigint
         and read @> $2::bigint
      union
      select user_id
        from message_flags
       where message_id = $2
         and is_historical`),
}

const IN_CONVERSATION = {
  name: 'list-readers-in-conversation',
  text: listing(`
      select user_id
        from conversation_members
       where recipient_id = $3
         and read @> $2::bigint`),
}

function listing(readers: string): string {
  return `
    with readers as materialized (${readers})
    select readers.user_id as id
      from readers
      join known_users reader on reader.user_id = readers.user_id
      left join known_users viewer on viewer.user_id = $1
     where readers.user_id <> $4
       and (reader.projection -> 'is_active')::boolean
       and (reader.projection -> 'settings' -> 'send_read_receipts')::boolean
       and not reader.projection -> 'muted_user_ids' @> to_jsonb($1::bigint)
       and not coalesce(viewer.projection -> 'muted_user_ids' @> to_jsonb(readers.user_id), false)
     order by readers.user_id`
}

/**
 * Lists users who have read a message and send read receipts, ascending: without the sender, deactivated users,
 * users who muted the viewer, and users that the viewer muted. Costs a read of every subscriber, as many as the
 * result may contain.
 */
export async function listReaders(
  db: Queryable,
  viewerId: number,
  { id, senderId, channel, recipientId }: MessageView,
): Promise<number[]> {
  const statement = channel
    ? { ...IN_CHANNEL, values: [viewerId, id, channel.id, senderId] }
    : { ...IN_CONVERSATION, values: [viewerId, id, recipientId, senderId] }
  const { rows } = await db.query<{ id: number }>(statement)
  return rows.map((row) => row.id)
}
