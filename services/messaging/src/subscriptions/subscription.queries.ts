import type { SubscriptionSettings } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { incrementVersions } from '../channels/version.queries.ts'

/** The settings of a subscription. */
export const SETTINGS_COLUMNS = `
  desktop_notifications, email_notifications, wildcard_mentions_notify, push_notifications,
  audible_notifications, pin_to_top, is_muted, not is_muted as in_home_view, color`

/** The settings that are stored; `in_home_view` follows from `is_muted`. */
export type SettingColumn = Exclude<keyof SubscriptionSettings, 'in_home_view'>

export interface Pair {
  readonly channelId: number
  readonly userId: number
}

export interface NewSubscription extends Pair {
  readonly settings: SubscriptionSettings
}

interface SubscribedRow extends SubscriptionSettings {
  channel_id: number
  user_id: number
}

/**
 * Locks recipients in the order of their IDs, so that two transactions can't deadlock. While the lock is held no
 * message is sent to them, so a change of subscriptions has a definite position among the messages. Senders take
 * the same lock; foreign keys to the row don't wait for it.
 */
export async function lockRecipients(tx: Tx, recipientIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'lock-recipients',
    text: `
      select id
        from recipients
       where id = any($1)
       order by id
         for no key update`,
    values: [recipientIds],
  })
}

/** Returns the memberships of a user in channels, without those never subscribed to. */
export async function listMemberships(
  db: Queryable,
  userId: number,
  channelIds: readonly number[],
): Promise<Map<number, { isActive: boolean }>> {
  const { rows } = await db.query<{ channelId: number; isActive: boolean }>({
    name: 'list-memberships',
    text: `
      select channel_id as "channelId", is_active as "isActive"
        from subscriptions
       where user_id = $1
         and channel_id = any($2)
         and was_subscribed`,
    values: [userId, channelIds],
  })
  return new Map(rows.map(({ channelId, isActive }) => [channelId, { isActive }]))
}

/** Lists the subscriptions of these users to these channels, active or not. */
export async function listExisting(
  tx: Tx,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<(Pair & { isActive: boolean })[]> {
  const { rows } = await tx.query<Pair & { isActive: boolean }>(
    `select channel_id as "channelId", user_id as "userId", is_active as "isActive"
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
 * Subscribes users. They receive messages after the last message of the channel. Settings of an earlier
 * subscription stay. Needs the locks of the channels; the pairs must not be subscribed.
 */
export async function insertSubscriptions(
  tx: Tx,
  pairs: readonly (Pair & { color: string })[],
): Promise<NewSubscription[]> {
  const { rows } = await tx.query<SubscribedRow>(
    `insert into subscriptions (channel_id, user_id, is_active, received, color)
     select requested.channel_id, requested.user_id, true,
            int8multirange(int8range(recipients.last_message_id + 1, null)), requested.color
       from unnest($1::bigint[], $2::bigint[], $3::text[]) as requested (channel_id, user_id, color)
       join channels on channels.id = requested.channel_id
       join recipients on recipients.id = channels.recipient_id
      order by requested.channel_id, requested.user_id
         on conflict (channel_id, user_id) do update
        set is_active = true,
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

/**
 * Unsubscribes users. The messages that they received end with the last message of the channel. Needs the locks of
 * the channels. Returns those who were subscribed.
 */
export async function endSubscriptions(
  tx: Tx,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<Pair[]> {
  const { rows } = await tx.query<Pair>(
    `with ended as (
       update subscriptions
          set is_active = false,
              received = received * int8multirange(int8range(null, recipients.last_message_id, '[]')),
              -- Leaving a channel marks its messages as read: clients forget unread messages with the
              -- subscription, and they must not reappear with a later one.
              read = read + received * int8multirange(int8range(null, recipients.last_message_id, '[]'))
         from channels
         join recipients on recipients.id = channels.recipient_id
        where channels.id = any($1)
          and subscriptions.channel_id = channels.id
          and subscriptions.user_id = any($2)
          and subscriptions.is_active
       returning subscriptions.channel_id, subscriptions.user_id, channels.recipient_id
     ), incremented as (
       ${incrementVersions('ended')}
     )
     select channel_id as "channelId", user_id as "userId" from ended`,
    [channelIds, userIds],
  )
  return rows
}

/**
 * Unsubscribes everyone from a channel that is being archived, as `endSubscriptions` does. Also marks messages as
 * read for bots that were mentioned there without being in it. Needs its lock.
 */
export async function endAllSubscriptions(tx: Tx, channelId: number): Promise<void> {
  await tx.query(
    `update subscriptions
        set is_active = false,
            received = received * int8multirange(int8range(null, recipients.last_message_id, '[]')),
            read = read + received * int8multirange(int8range(null, recipients.last_message_id, '[]'))
       from channels
       join recipients on recipients.id = channels.recipient_id
      where channels.id = $1
        and subscriptions.channel_id = channels.id
        and (subscriptions.is_active or not subscriptions.read @> subscriptions.received)`,
    [channelId],
  )
}

/**
 * Changes a setting of a user for a channel. Returns false if the user is not subscribed. `property` is a column
 * of the settings. The lock of the row orders the user's changes.
 */
export async function updateSetting(
  tx: Tx,
  { userId, channelId }: Pair,
  property: SettingColumn,
  value: boolean | string,
): Promise<boolean> {
  const { rows } = await tx.query(
    `update subscriptions
        set ${property} = $3
      where channel_id = $1
        and user_id = $2
        and is_active
     returning channel_id`,
    [channelId, userId, value],
  )
  return rows.length > 0
}

/** SQL: whether a row of `subscriptions` belongs to a current subscriber who is not deactivated. */
export const IS_SUBSCRIBER = `(
  is_active
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
