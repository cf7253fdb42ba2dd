import type { EditHistoryEntry } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { withEditSql } from '../kernel/messages/edit-history.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/** Where the messages belong after the edit; with a null topic each keeps its own. */
interface Destination {
  readonly recipientId: number
  /** Null for a direct message, which can't be moved. */
  readonly channelId: number | null
  readonly topic: string | null
  /** The topic is only marked as resolved, or no longer. */
  readonly isResolution: boolean
}

/** SQL: whether a message gets another topic or channel. */
const IS_MOVED = `coalesce($4::text <> topic, false) or channel_id is distinct from $3::bigint`

/** SQL: the new edit history entry of a message. */
const THE_EDIT = `
  $7::jsonb
  || case when $4::text is null or $4::text = topic then '{}'
          else jsonb_build_object('prev_topic', topic, 'topic', $4::text) end
  || case when channel_id is not distinct from $3::bigint then '{}'
          else jsonb_build_object('prev_stream', channel_id, 'stream', $3::bigint) end`

/**
 * Adds an entry to the history of each message, whose oldest entries are dropped if it gets too long, and moves the
 * messages to where they belong then, which may be where they are. `entry` contains the user, the time and the new
 * values; the previous values differ by message. After a move the slots of the messages are wrong until `relink`.
 */
export async function recordEdit(
  tx: Tx,
  messageIds: readonly number[],
  { recipientId, channelId, topic, isResolution }: Destination,
  { entry, at }: { readonly entry: EditHistoryEntry; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'record-edit',
    text: `
      update messages
         set recipient_id = $2,
             channel_id = $3::bigint,
             topic = coalesce($4::text, topic),
             topic_key = coalesce($5::text, topic_key),
             last_edit_at = case when $9::boolean then $6 else last_edit_at end,
             last_moved_at = case when not $8::boolean and (${IS_MOVED}) then $6 else last_moved_at end,
             edit_history = ${withEditSql(THE_EDIT, 'edit_history')}
       where id = any($1::bigint[])`,
    values: [
      messageIds,
      recipientId,
      channelId,
      topic,
      topic === null ? null : caseKey(topic),
      at,
      JSON.stringify(entry),
      isResolution,
      entry.prev_content !== undefined,
    ],
  })
}
