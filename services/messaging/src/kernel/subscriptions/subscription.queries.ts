import type { Queryable } from '@tms/service-kit'
import { grantColumns } from '../access/access.queries.ts'
import type { Membership } from '../access/channel.rules.ts'

/** The settings of a subscription. */
export const SETTINGS_COLUMNS = `
  desktop_notifications, email_notifications, wildcard_mentions_notify, push_notifications,
  audible_notifications, pin_to_top, is_muted, not is_muted as in_home_view, color`

/** A channel and a user who is in it, joins it or leaves it. */
export interface ChannelMember {
  readonly channelId: number
  readonly userId: number
}

/** What connects a user with a channel. */
export interface ChannelMembership extends NonNullable<Membership> {
  /** Now or at any time. */
  readonly wasSubscribed: boolean
}

/** Returns what connects a user with each of these channels; unknown channels are missing. */
export async function listMemberships(
  db: Queryable,
  userId: number,
  channelIds: readonly number[],
): Promise<Map<number, ChannelMembership>> {
  const { isViewer, isReader } = grantColumns('channels', '$1')
  const { rows } = await db.query<ChannelMembership & { channelId: number }>({
    name: 'list-memberships',
    text: `
      select channels.id as "channelId", coalesce(is_active or is_in_archive, false) as "isActive",
             subscriptions.user_id is not null as "wasSubscribed", ${isViewer} as "isViewer", ${isReader} as "isReader"
        from channels
        left join subscriptions
          on subscriptions.channel_id = channels.id
         and subscriptions.user_id = $1
         and was_subscribed
       where channels.id = any($2)`,
    values: [userId, channelIds],
  })
  return new Map(rows.map(({ channelId, ...membership }) => [channelId, membership]))
}

/** SQL: whether a row of `subscriptions` belongs to a current subscriber, also of an archived channel, who is not deactivated. */
export const IS_SUBSCRIBER = `(
  (is_active or is_in_archive)
  and not exists (
        select from known_users
         where known_users.user_id = subscriptions.user_id
           and not published_active))`

/**
 * Lists the subscribers of each of these channels, ascending, without deactivated ones. A channel without
 * subscribers has an empty list.
 */
export async function listSubscriberIds(
  db: Queryable,
  channelIds: readonly number[],
): Promise<Map<number, number[]>> {
  // JSON, because it is parsed several times faster than an array of bigint.
  const { rows } = await db.query<{ channelId: number; userIds: number[] }>({
    name: 'list-subscriber-ids',
    text: `
      select channel_id as "channelId", json_agg(user_id order by user_id) as "userIds"
        from subscriptions
       where channel_id = any($1)
         and ${IS_SUBSCRIBER}
       group by channel_id`,
    values: [channelIds],
  })
  const found = new Map(channelIds.map((channelId): [number, number[]] => [channelId, []]))
  for (const { channelId, userIds } of rows) found.set(channelId, userIds)
  return found
}
