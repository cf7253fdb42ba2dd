import type { SubscriptionSettings } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { raiseRevisions } from '../channels/revision.queries.ts'

/** The columns that are a user's settings for a channel. */
export const SETTINGS_COLUMNS = `
  desktop_notifications, email_notifications, wildcard_mentions_notify, push_notifications,
  audible_notifications, pin_to_top, is_muted, not is_muted as in_home_view, color`

/** Those of them that are stored; `in_home_view` follows from `is_muted`. */
export type SettingColumn = Exclude<keyof SubscriptionSettings, 'in_home_view'>

export interface Pair {
  readonly channelId: number
  readonly userId: number
}

export interface Subscribed extends Pair {
  readonly settings: SubscriptionSettings
}

interface SubscribedRow extends SubscriptionSettings {
  channel_id: number
  user_id: number
}

/**
 * Locks places of messages, lowest ID first, so that two changes never wait for each other. While it is held
 * no message is sent there, which gives a change of subscriptions its definite place among the messages.
 * Senders take the same lock; foreign keys that point at the row don't wait for it.
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

/** How one user stands to channels; left out are those never subscribed to. */
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

/** Rows of any of these users in any of these channels, active or not. */
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

/** The colours that users have given to channels, those they left included. */
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
 * Subscribes users: what they receive begins after the channel's last message. Settings of an earlier
 * subscription stay. Needs the channels' locks; the pairs must not be subscribed.
 */
export async function insertSubscriptions(
  tx: Tx,
  pairs: readonly (Pair & { color: string })[],
): Promise<Subscribed[]> {
  const { rows } = await tx.query<SubscribedRow>(
    `insert into subscriptions (channel_id, user_id, is_active, received, color)
     select wanted.channel_id, wanted.user_id, true,
            int8multirange(int8range(recipients.last_message_id + 1, null)), wanted.color
       from unnest($1::bigint[], $2::bigint[], $3::text[]) as wanted (channel_id, user_id, color)
       join channels on channels.id = wanted.channel_id
       join recipients on recipients.id = channels.recipient_id
      order by wanted.channel_id, wanted.user_id
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
 * Unsubscribes users: what they received ends with the channel's last message. Needs the channels' locks.
 * Returns those who were subscribed.
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
              -- Leaving a channel settles it: clients forget its unread messages with the subscription, and
              -- they must not come back with it.
              read = read + received * int8multirange(int8range(null, recipients.last_message_id, '[]'))
         from channels
         join recipients on recipients.id = channels.recipient_id
        where channels.id = any($1)
          and subscriptions.channel_id = channels.id
          and subscriptions.user_id = any($2)
          and subscriptions.is_active
       returning subscriptions.channel_id, subscriptions.user_id, channels.recipient_id
     ), raised as (
       ${raiseRevisions('ended')}
     )
     select channel_id as "channelId", user_id as "userId" from ended`,
    [channelIds, userIds],
  )
  return rows
}

/**
 * Unsubscribes everyone from a channel that is being archived, as `endSubscriptions` does. Bots that were mentioned there
 * without being in it have read it, too. Needs its lock.
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
 * Changes one of a user's settings for a channel; false if the user is not subscribed. `property` is one of the
 * settings' columns. The row's lock orders it among the user's other changes.
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

/** SQL: whether a row of `subscriptions` is of someone in the channel: not of who has left, or is deactivated for now. */
export const IS_SUBSCRIBER = `(
  is_active
  and not exists (
        select from known_users
         where known_users.user_id = subscriptions.user_id
           and not published_active))`

/**
 * Everyone subscribed to each of these channels, ascending, but who is deactivated; a channel without any has an empty
 * list.
 */
export async function listSubscriberIds(
  db: Queryable,
  channelIds: readonly number[],
): Promise<Map<number, number[]>> {
  // JSON, because it is parsed several times faster than an array of bigint is.
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
