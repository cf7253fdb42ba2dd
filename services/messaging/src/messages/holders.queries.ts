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
  const holders = isShared
    ? await listUnsubscribedHolders(tx, channel.id, id)
    : await listHolders(tx, channel.id, id)
  return { channel_id: isShared ? channel.id : null, user_ids: holders }
}

const holding = (condition: string) => `
  select user_id as "userId"
    from subscriptions
   where channel_id = $1
     and received @> $2::bigint
     ${condition}
   union
  select user_id
    from message_flags
   where message_id = $2
     and is_historical`

/** Those who have a channel's message, received or not. */
async function listHolders(tx: Tx, channelId: number, messageId: number): Promise<number[]> {
  const { rows } = await tx.query<{ userId: number }>({
    name: 'list-holders',
    text: holding(''),
    values: [channelId, messageId],
  })
  return rows.map(({ userId }) => userId)
}

/** Those of them who left the channel or never were in it, and maybe some who are. */
async function listUnsubscribedHolders(tx: Tx, channelId: number, messageId: number): Promise<number[]> {
  const { rows } = await tx.query<{ userId: number }>({
    name: 'list-unsubscribed-holders',
    text: holding('and not is_active'),
    values: [channelId, messageId],
  })
  return rows.map(({ userId }) => userId)
}
