import type { Queryable } from '@tms/service-kit'
import { DELETED } from './batch.queries.ts'

/** Messages before a mention that help to understand it. */
const MAX_MESSAGES = 10

/**
 * IDs of the messages of a topic right before one of its messages, within a quarter of an hour; at most 10. Looks no
 * further back than these, so a long topic costs no more.
 */
export async function listContextIds(db: Queryable, messageId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'list-context-of-mention',
    text: `
      select earlier.id
        from messages m
       cross join lateral (
               select p.id, p.sent_at, p.content
                 from messages p
                where p.recipient_id = m.recipient_id
                  and p.topic_key = m.topic_key
                  and p.id < m.id
                order by p.id desc
                limit $2
             ) earlier
       where m.id = $1
         and earlier.sent_at > m.sent_at - interval '15 minutes'
         and earlier.content <> $3
       order by earlier.id`,
    values: [messageId, MAX_MESSAGES, DELETED],
  })
  return rows.map(({ id }) => id)
}
