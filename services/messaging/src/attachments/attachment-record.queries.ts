import { type AttachmentRecord, limits } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** Only the newest messages: a bot may link its picture in each of a million, and each claim publishes the record. */
const RECORD = `
  select a.id, a.name, a.path_id, a.size,
         floor(extract(epoch from a.created_at) * 1000)::bigint as create_time,
         coalesce(linked.messages, '[]') as messages
    from attachments a
   cross join lateral (
     select json_agg(
              json_build_object('id', m.id, 'date_sent', floor(extract(epoch from m.sent_at) * 1000)::bigint)
              order by m.id) as messages
       from (select l.message_id
               from attachment_messages l
              where l.attachment_id = a.id
              order by l.message_id desc
              limit ${limits.maxMessagesPerAttachment}) newest
       join messages m on m.id = newest.message_id
   ) linked`

/** The records of files, by ID. */
export async function listRecords(db: Queryable, fileIds: readonly number[]): Promise<AttachmentRecord[]> {
  const { rows } = await db.query<AttachmentRecord>({
    name: 'list-attachment-records',
    text: `${RECORD}
      where a.id = any($1::bigint[])
      order by a.id`,
    values: [fileIds],
  })
  return rows
}

/** The records of those of these files that belong to one owner, by ID. */
export async function listOwnRecordsAmong(
  db: Queryable,
  ownerId: number,
  fileIds: readonly number[],
): Promise<AttachmentRecord[]> {
  if (fileIds.length === 0) return []
  const { rows } = await db.query<AttachmentRecord>({
    name: 'list-own-attachment-records-among',
    text: `${RECORD}
      where a.id = any($2::bigint[])
        and a.owner_id = $1
      order by a.id`,
    values: [ownerId, fileIds],
  })
  return rows
}

/** The records of one owner's files, by ID. */
export async function listOwnRecords(db: Queryable, ownerId: number): Promise<AttachmentRecord[]> {
  const { rows } = await db.query<AttachmentRecord>({
    name: 'list-own-attachment-records',
    text: `${RECORD}
      where a.owner_id = $1
      order by a.id`,
    values: [ownerId],
  })
  return rows
}
