import type { SubscriptionSettings } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { countJoins } from '../kernel/locks/version.queries.ts'
import { type ChannelMember, SETTINGS_COLUMNS } from '../kernel/subscriptions/subscription.queries.ts'

export interface NewSubscription extends ChannelMember {
  readonly settings: SubscriptionSettings
}

interface SubscribedRow extends SubscriptionSettings {
  channel_id: number
  user_id: number
}

/** Lists the subscriptions of these users to these channels, active or not. */
export async function listExisting(
  tx: Tx,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<(ChannelMember & { isActive: boolean })[]> {
  const { rows } = await tx.query<ChannelMember & { isActive: boolean }>(
    `select channel_id as "channelId", user_id as "userId", is_active or is_in_archive as "isActive"
       from subscriptions
      where channel_id = any($1)
        and user_id = any($2)`,
    [channelIds, userIds],
  )
  return rows
}

/** Lists the colours that users have given to channels, including those that they left. */
export async function listUsedColors(
  tx: Tx,
  userIds: readonly number[],
): Promise<Map<number, ReadonlySet<string>>> {
  const { rows } = await tx.query<{ userId: number; colors: string[] }>(
    `select user_id as "userId", array_agg(distinct color) as colors
       from subscriptions
      where user_id = any($1)
        and was_subscribed
      group by user_id`,
    [userIds],
  )
  return new Map(rows.map(({ userId, colors }) => [userId, new Set(colors)]))
}

/**
 * Subscribes users. They receive messages after the last message of the channel, unless it is archived. Settings of an
 * earlier subscription stay. Needs the locks of the channels; the pairs must not be subscribed.
 */
export async function insertSubscriptions(
  tx: Tx,
  pairs: readonly (ChannelMember & { color: string })[],
): Promise<NewSubscription[]> {
  const { rows } = await tx.query<SubscribedRow>(
    `with joined as (
       select recipient_id from channels where id = any($1)
     ), counted as (
       ${countJoins('joined')}
     )
     insert into subscriptions (channel_id, user_id, is_active, is_in_archive, received, color)
     select requested.channel_id, requested.user_id, not channels.is_archived, channels.is_archived,
            case when channels.is_archived then '{}'
                 else int8multirange(int8range(recipients.last_message_id + 1, null)) end,
            requested.color
       from unnest($1::bigint[], $2::bigint[], $3::text[]) as requested (channel_id, user_id, color)
       join channels on channels.id = requested.channel_id
       join recipients on recipients.id = channels.recipient_id
      order by requested.channel_id, requested.user_id
         on conflict (channel_id, user_id) do update
        set is_active = excluded.is_active,
            is_in_archive = excluded.is_in_archive,
            was_subscribed = true,
            color = case when subscriptions.was_subscribed then subscriptions.color else excluded.color end,
            received = subscriptions.received + excluded.received
     returning channel_id, user_id, ${SETTINGS_COLUMNS}`,
    [pairs.map((pair) => pair.channelId), pairs.map((pair) => pair.userId), pairs.map((pair) => pair.color)],
  )
  return rows.map(({ channel_id, user_id, ...settings }) => ({
    channelId: channel_id,
    userId: user_id,
    settings,
  }))
}
