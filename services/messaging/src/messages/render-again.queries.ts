import type { Queryable } from '@tms/service-kit'
import { LINK_MARKS } from '../kernel/messages/link-marks.ts'

/** A stored message with its HTML. */
export interface RenderedMessage {
  readonly id: number
  readonly realmId: number
  readonly senderId: number
  readonly content: string
  readonly html: string
  /** When it was sent, or edited last: relative times in it count from then. */
  readonly writtenAt: Date
}

/** The highest ID of a message; 0 if there is none. */
export async function findLastMessageId(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    name: 'find-last-message-id',
    text: `select coalesce(max(id), 0) as id from messages`,
  })
  return rows[0]?.id ?? 0
}

/** Messages with IDs above `after` up to `upTo`, of an organization or of all, lowest first. */
export async function listRenderedMessages(
  db: Queryable,
  { realmId, after, upTo, limit }: { realmId: number | null; after: number; upTo: number; limit: number },
): Promise<RenderedMessage[]> {
  const { rows } = await db.query<RenderedMessage>({
    name: 'list-rendered-messages',
    text: `
      select id, realm_id as "realmId", sender_id as "senderId", content, rendered_content as html,
             coalesce(last_edit_at, sent_at) as "writtenAt"
        from messages
       where id > $1
         and id <= $2
         and ($3::bigint is null or realm_id = $3)
       order by id
       limit $4`,
    values: [after, upTo, realmId, limit],
  })
  return rows
}

/**
 * Replaces the HTML of a message, unless its text or its HTML has changed since it was read. Returns whether it
 * did.
 */
export async function replaceHtml(db: Queryable, message: RenderedMessage, html: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'replace-html',
    text: `
      update messages
         set rendered_content = $2, ${LINK_MARKS.map((mark) => `${mark} = ${mark}($2)`).join(', ')}
       where id = $1
         and content = $3
         and rendered_content = $4
      returning id`,
    values: [message.id, html, message.content, message.html],
  })
  return rows.length > 0
}
