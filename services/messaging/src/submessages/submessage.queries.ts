import type { SubmessageRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

/** Attaches a submessage to a message and returns its ID. */
export async function insertSubmessage(
  tx: Tx,
  { message_id, sender_id, msg_type, content }: Omit<SubmessageRecord, 'id'>,
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'insert-submessage',
    text: `
      insert into submessages (message_id, sender_id, msg_type, content)
      values ($1, $2, $3, $4)
      returning id`,
    values: [message_id, sender_id, msg_type, content],
  })
  const [row] = rows
  if (!row) throw new Error('a submessage was not stored')
  return row.id
}

/** Whether someone has attached anything to a message. */
export async function hasSubmessageOf(db: Queryable, messageId: number, senderId: number): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'has-submessage-of',
    text: 'select exists (select from submessages where message_id = $1 and sender_id = $2) as found',
    values: [messageId, senderId],
  })
  return rows[0]?.found ?? false
}

/** What is attached to these messages, oldest first. */
export async function listSubmessages(
  db: Queryable,
  messageIds: readonly number[],
): Promise<SubmessageRecord[]> {
  const { rows } = await db.query<SubmessageRecord>({
    name: 'list-submessages',
    text: `
      select id, message_id, sender_id, msg_type, content
        from submessages
       where message_id = any($1::bigint[])
       order by id`,
    values: [messageIds],
  })
  return rows
}
