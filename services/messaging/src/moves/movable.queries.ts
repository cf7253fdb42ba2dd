import type { PropagateMode } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
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
