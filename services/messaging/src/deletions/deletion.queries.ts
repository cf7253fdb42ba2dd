import type { Tx } from '@tms/service-kit'
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

/** Deletes messages of a recipient with their flags. Returns the IDs of those that existed, ascending. */
export async function deleteMessageRows(
  tx: Tx,
  recipientId: number,
  messageIds: readonly number[],
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
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
      )
      select id
        from deleted
       order by id`,
    values: [recipientId, messageIds],
  })
  return rows.map(({ id }) => id)
}
