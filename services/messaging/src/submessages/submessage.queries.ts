import type { SubmessageRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import type { SubmessageUsage } from './submessage.rules.ts'
import { isWidget } from './widget.rules.ts'

/** Reserves the ID of the next submessage. */
export async function reserveSubmessageId(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'next-submessage-id',
    text: "select nextval(pg_get_serial_sequence('submessages', 'id')) as id",
  })
  const [row] = rows
  if (!row) throw new Error('there is no sequence of submessages')
  return row.id
}

/** Attaches a submessage to a message. */
export async function insertSubmessage(
  tx: Tx,
  { id, message_id, sender_id, msg_type, content }: SubmessageRecord,
): Promise<void> {
  await tx.query({
    name: 'insert-submessage',
    text: `
      insert into submessages (id, message_id, sender_id, msg_type, content)
      overriding system value
      values ($1, $2, $3, $4, $5)`,
    values: [id, message_id, sender_id, msg_type, content],
  })
}

/** Finds the content of the first submessage of a message; null if there is none. */
export async function findFirstSubmessage(db: Queryable, messageId: number): Promise<string | null> {
  const { rows } = await db.query<{ content: string }>({
    name: 'find-first-submessage',
    text: 'select content from submessages where message_id = $1 order by id limit 1',
    values: [messageId],
  })
  return rows[0]?.content ?? null
}

/** Whether a message was sent with a widget. */
export async function hasWidget(db: Queryable, messageId: number): Promise<boolean> {
  const content = await findFirstSubmessage(db, messageId)
  return content !== null && isWidget(content)
}

/** Measures the submessages of a message. The message must be locked for the result to stay valid. */
export async function measureSubmessages(tx: Tx, messageId: number): Promise<SubmessageUsage> {
  const { rows } = await tx.query<SubmessageUsage>({
    name: 'measure-submessages',
    text: `
      select count(*) as count, coalesce(sum(octet_length(msg_type) + octet_length(content)), 0)::bigint as bytes
        from submessages
       where message_id = $1`,
    values: [messageId],
  })
  return rows[0] ?? { count: 0, bytes: 0 }
}

/** Lists the submessages of these messages, oldest first. */
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
