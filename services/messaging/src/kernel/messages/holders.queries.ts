import { type MessageHolders, messageRules } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { channelColumns, grantColumns, PUBLISHED_ROLE } from '../access/access.queries.ts'
import { allowsSql } from '../access/access-sql.ts'
import type { MessageView, ViewedChannel } from './message-view.queries.ts'

interface MessageScope {
  /** Null for direct messages. */
  readonly channel: Pick<ViewedChannel, 'id' | 'historyPublicToSubscribers'> | null
  /** Members of the conversation; null for a channel. */
  readonly userIds: MessageView['userIds']
}

/**
 * Finds the users who receive events about these messages of one recipient: those who have one of the messages and
 * may still see it. If the history is shared, the subscribers are represented by their channel instead of being
 * listed, so the cost grows only with the users who have left. If the change affects who has the messages, call it
 * before the change.
 */
export async function findHolders(
  tx: Tx,
  { channel, userIds }: MessageScope,
  messageIds: readonly number[],
): Promise<MessageHolders> {
  if (!channel) return { channel_id: null, user_ids: [...(userIds ?? [])] }
  const unsubscribedIds = await listUnsubscribedHolders(tx, channel.id, messageIds)
  if (channel.historyPublicToSubscribers) return { channel_id: channel.id, user_ids: unsubscribedIds }
  const subscribed = await listSubscribedHolders(tx, channel.id, messageIds)
  return { channel_id: null, user_ids: [...new Set([...subscribed, ...unsubscribedIds])] }
}

const SPAN = `
  span as materialized (
    select range_agg(int8range(id, id + 1)) as ids
      from unnest($2::bigint[]) as message (id)
  )`

/** SQL: whether somebody who isn't subscribed sees a message of the channel that they have. */
const SEES_WITHOUT_SUBSCRIPTION = allowsSql(messageRules.read, {
  ...channelColumns('channels'),
  ...grantColumns('channels', 'unsubscribed.user_id'),
  isDirect: false,
  isSubscribed: false,
  isReceived: true,
  isHistorical: false,
  role: PUBLISHED_ROLE,
})

/**
 * Users who have any of these messages and may see the channel without being subscribed: former subscribers, and
 * users who flagged one of them. May contain users who are subscribed.
 */
export async function listUnsubscribedHolders(
  tx: Tx,
  channelId: number,
  messageIds: readonly number[],
): Promise<number[]> {
  const { rows } = await tx.query<{ userIds: number[] | null }>({
    name: 'list-unsubscribed-holders',
    text: `
      with ${SPAN}, unsubscribed as (
        select user_id
          from subscriptions, span
         where channel_id = $1
           and received && span.ids
           and not is_active
         union
        select user_id
          from message_flags
         where message_id = any($2::bigint[])
           and is_historical
      )
      select json_agg(unsubscribed.user_id order by unsubscribed.user_id) as "userIds"
        from channels
       cross join unsubscribed
        left join known_users on known_users.user_id = unsubscribed.user_id
       where channels.id = $1
         and ${SEES_WITHOUT_SUBSCRIPTION}`,
    values: [channelId, messageIds],
  })
  return rows[0]?.userIds ?? []
}

/** Subscribers of a channel who received or flagged any of these messages. */
async function listSubscribedHolders(
  tx: Tx,
  channelId: number,
  messageIds: readonly number[],
): Promise<number[]> {
  const { rows } = await tx.query<{ userIds: number[] | null }>({
    name: 'list-subscribed-holders',
    text: `
      with ${SPAN}, holders as (
        select user_id
          from subscriptions, span
         where channel_id = $1
           and received && span.ids
           and is_active
         union
        select subscriptions.user_id
          from message_flags
          join subscriptions using (user_id)
         where message_flags.message_id = any($2::bigint[])
           and message_flags.is_historical
           and subscriptions.channel_id = $1
           and subscriptions.is_active
      )
      select json_agg(user_id order by user_id) as "userIds"
        from holders`,
    values: [channelId, messageIds],
  })
  return rows[0]?.userIds ?? []
}
