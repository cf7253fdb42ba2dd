import type { EditHistoryEntry, PropagateMode } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { withEditSql } from '../kernel/messages/edit-history.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/** The messages of a topic that a move selects. */
export interface Selection {
  readonly recipientId: number
  readonly topic: string
  readonly messageId: number
  readonly mode: PropagateMode
}

/** A message that may move. */
export interface Movable {
  readonly id: number
  /** UNIX milliseconds. */
  readonly sentAtMs: number
}

/**
 * Lists the messages that a move selects, in the order of their IDs. With `receivedBy`, only those that this user
 * received or flagged: the visible ones of a protected history.
 */
export async function listMovable(
  tx: Pick<Tx, 'query'>,
  { recipientId, topic, messageId, mode }: Selection,
  receivedBy: { readonly userId: number; readonly channelId: number } | null,
): Promise<Movable[]> {
  const { rows } = await tx.query<Movable>({
    name: 'list-movable',
    text: `
      select m.id, floor(extract(epoch from m.sent_at) * 1000)::bigint as "sentAtMs"
        from messages m
       where m.recipient_id = $1
         and m.topic_key = $2
         and m.id >= $3
         and m.id <= $4
         and ($5::bigint is null
              or exists (select from subscriptions s
                          where s.user_id = $5 and s.channel_id = $6 and s.received @> m.id)
              or exists (select from message_flags f
                          where f.user_id = $5 and f.message_id = m.id and f.is_historical))
       order by m.id`,
    values: [
      recipientId,
      caseKey(topic),
      mode === 'change_all' ? 0 : messageId,
      mode === 'change_one' ? messageId : Number.MAX_SAFE_INTEGER,
      receivedBy?.userId ?? null,
      receivedBy?.channelId ?? null,
    ],
  })
  return rows
}

/** The target of messages; with a null topic each keeps its own. */
export interface Destination {
  readonly recipientId: number
  /** Null for a direct message, which can't be moved. */
  readonly channelId: number | null
  readonly topic: string | null
}

/** SQL: the new edit history entry of a message. */
const THE_EDIT = `
  $7::jsonb
  || case when $4::text is null or $4::text = topic then '{}'
          else jsonb_build_object('prev_topic', topic, 'topic', $4::text) end
  || case when channel_id is not distinct from $3::bigint then '{}'
          else jsonb_build_object('prev_stream', channel_id, 'stream', $3::bigint) end`

/**
 * Moves messages and adds an entry to the history of each, whose oldest entries are dropped if it gets too long.
 * `entry` contains the user, the time and the new values; the previous values differ by message. The slots of the
 * messages are wrong until `relink`.
 */
export async function relocate(
  tx: Tx,
  messageIds: readonly number[],
  { recipientId, channelId, topic }: Destination,
  { entry, at }: { readonly entry: EditHistoryEntry; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'relocate-messages',
    text: `
      update messages
         set recipient_id = $2,
             channel_id = $3::bigint,
             topic = coalesce($4::text, topic),
             topic_key = coalesce($5::text, topic_key),
             last_edit_at = $6,
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
    ],
  })
}

/**
 * Makes the slots of a recipient disjoint again after messages were added, moved or deleted: those of the messages
 * themselves and of their successors. Also updates its first and last message. Needs the lock of the recipient.
 */
export async function relink(tx: Tx, recipientId: number, messageIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'relink-slots',
    text: `
      with affected as materialized (
        select id
          from messages
         where recipient_id = $1
           and id = any($2::bigint[])
         union
        select following.id
          from unnest($2::bigint[]) as changed (id)
         cross join lateral (
                select m.id
                  from messages m
                 where m.recipient_id = $1
                   and m.id > changed.id
                 order by m.id
                 limit 1) following
      )
      update messages m
         set previous_id = coalesce((select p.id
                                       from messages p
                                      where p.recipient_id = $1
                                        and p.id < affected.id
                                      order by p.id desc
                                      limit 1), 0)
        from affected
       where m.id = affected.id`,
    values: [recipientId, messageIds],
  })
  await tx.query({
    name: 'refresh-ends',
    text: `
      update recipients
         set first_message_id = (select m.id from messages m where m.recipient_id = $1 order by m.id limit 1),
             last_message_id = coalesce(
               (select m.id from messages m where m.recipient_id = $1 order by m.id desc limit 1), 0)
       where id = $1`,
    values: [recipientId],
  })
}
