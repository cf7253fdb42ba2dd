import type { MessageHolders } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { mayEnter, PUBLISHED_ROLE } from '../channels/access.queries.ts'
import type { MessageView, ViewedChannel } from './message-view.queries.ts'

interface Place {
  /** Null for direct messages. */
  readonly channel: Pick<ViewedChannel, 'id' | 'historyPublicToSubscribers'> | null
  /** Whose conversation it is; null for a channel. */
  readonly userIds: MessageView['userIds']
}

/**
 * Who is told what happens to messages of one place: those who have one of them and may still see it. Where history
 * is shared, subscribers are told as a channel and not listed, so that a large channel costs no more than who has
 * left it. Call it before what happens, if that changes who has them.
 */
export async function findHolders(
  tx: Tx,
  { channel, userIds }: Place,
  messageIds: readonly number[],
): Promise<MessageHolders> {
  if (!channel) return { channel_id: null, user_ids: [...(userIds ?? [])] }
  const strangers = await listStrangers(tx, channel.id, messageIds)
  if (channel.historyPublicToSubscribers) return { channel_id: channel.id, user_ids: strangers }
  const subscribed = await listSubscribedHolders(tx, channel.id, messageIds)
  return { channel_id: null, user_ids: [...new Set([...subscribed, ...strangers])] }
}

const SPAN = `
  span as materialized (
    select range_agg(int8range(id, id + 1)) as ids
      from unnest($2::bigint[]) as given (id)
  )`

/**
 * Who has any of these messages of a channel and may see it without being subscribed: those who left, and those who
 * noted something of it. May list some who are subscribed.
 */
export async function listStrangers(
  tx: Tx,
  channelId: number,
  messageIds: readonly number[],
): Promise<number[]> {
  const openness = { isWebPublic: 'channels.is_web_public', inviteOnly: 'channels.invite_only' }
  const { rows } = await tx.query<{ userIds: number[] | null }>({
    name: 'list-unsubscribed-holders',
    text: `
      with ${SPAN}, strangers as (
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
      select json_agg(strangers.user_id order by strangers.user_id) as "userIds"
        from channels
       cross join strangers
        left join known_users on known_users.user_id = strangers.user_id
       where channels.id = $1
         and ${mayEnter(openness, PUBLISHED_ROLE)}`,
    values: [channelId, messageIds],
  })
  return rows[0]?.userIds ?? []
}

/** Which subscribers of a channel have any of these messages, received or noted. */
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
