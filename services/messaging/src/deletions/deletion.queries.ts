import type { Tx } from '@tms/service-kit'
import type { Star } from '../flags/publish-unstarred.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/** Lists the newest messages of a topic, at most `limit`, in the order of their IDs. */
export async function listNewestOfTopic(
  tx: Tx,
  recipientId: number,
  topic: string,
  limit: number,
): Promise<{ messageIds: number[]; spelling: string }> {
  const { rows } = await tx.query<{ id: number; spelling: string }>({
    name: 'list-newest-of-topic',
    text: `
      select id, topic as spelling
        from messages
       where recipient_id = $1
         and topic_key = $2
       order by id desc
       limit $3`,
    values: [recipientId, caseKey(topic), limit],
  })
  return { messageIds: rows.map(({ id }) => id).reverse(), spelling: rows[0]?.spelling ?? topic }
}

/**
 * Deletes messages of a recipient with their flags. Returns the IDs of those that existed, ascending, and the stars on them
 * of users who aren't subscribed.
 */
export async function deleteMessageRows(
  tx: Tx,
  recipientId: number,
  messageIds: readonly number[],
  channelId: number | null,
): Promise<{ deletedIds: number[]; stars: Star[] }> {
  const { rows } = await tx.query<{ id: number; userId: number | null }>({
    name: 'delete-messages',
    text: `
      with deleted as (
        delete from messages
         where recipient_id = $1
           and id = any($2::bigint[])
        returning id
      ), flags_deleted as (
        delete from message_flags
         where message_id in (select id from deleted)
        returning user_id, message_id, is_starred
      )
      select id, null::bigint as "userId"
        from deleted
       union all
      select message_id, user_id
        from flags_deleted
       where is_starred
         and $3::bigint is not null
         and not exists (select
                           from subscriptions
                          where channel_id = $3
                            and subscriptions.user_id = flags_deleted.user_id
                            and is_active)
       order by 1`,
    values: [recipientId, messageIds, channelId],
  })
  return {
    deletedIds: rows.flatMap(({ id, userId }) => (userId === null ? [id] : [])),
    stars: rows.flatMap(({ id, userId }) => (userId === null ? [] : [{ messageId: id, userId }])),
  }
}
