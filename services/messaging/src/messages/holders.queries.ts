import type { MessageHolders } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { MessageView } from './message-view.queries.ts'

/**
 * Who is told what happens to a message. Where history is shared, subscribers are told as a channel and not
 * listed, so that a large channel costs no more than who has left it.
 */
export async function findHolders(
  tx: Tx,
  { id, channel, userIds }: Pick<MessageView, 'id' | 'channel' | 'userIds'>,
): Promise<MessageHolders> {
  if (!channel) return { channel_id: null, user_ids: [...(userIds ?? [])] }
  const isShared = channel.historyPublicToSubscribers
  const holders = await listHolders(tx, channel.id, [id], isShared ? 'strangers' : 'everyone')
  return { channel_id: isShared ? channel.id : null, user_ids: holders }
}

const holding = (condition: string) => `
  with span as materialized (
    select range_agg(int8range(id, id + 1)) as ids
      from unnest($2::bigint[]) as given (id)
  ), holders as (
    select user_id
      from subscriptions, span
     where channel_id = $1
       and received && span.ids
       ${condition}
     union
    select user_id
      from message_flags
     where message_id = any($2::bigint[])
       and is_historical
  )
  select json_agg(user_id order by user_id) as "userIds"
    from holders`

/** Two statements, so that the one for strangers can go by the index of those who left. */
const HOLDERS = {
  everyone: { name: 'list-holders', text: holding('') },
  strangers: { name: 'list-unsubscribed-holders', text: holding('and not is_active') },
} as const

/**
 * Who holds any of these messages of a channel: everyone, or only those whom its subscriptions don't tell, because
 * they left it or never were in it, and maybe some who are.
 */
export async function listHolders(
  tx: Tx,
  channelId: number,
  messageIds: readonly number[],
  who: keyof typeof HOLDERS,
): Promise<number[]> {
  const values = [channelId, messageIds]
  const { rows } = await tx.query<{ userIds: number[] | null }>({ ...HOLDERS[who], values })
  return rows[0]?.userIds ?? []
}
