import type { Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks/locks.ts'

/**
 * Locks the read ranges of the user for the recipients of these messages. Two requests of one user wait for each
 * other here, always in this order, and the statements after it see what the other has written.
 */
export async function lockReading(tx: Tx, userId: number, messageIds: readonly number[]): Promise<void> {
  tx.lockRecord.add(locks.readRanges)
  await tx.query({
    name: 'lock-reading-in-channels',
    text: `
      select
        from subscriptions
       where user_id = $1
         and channel_id in (select channel_id from messages where id = any($2::bigint[]))
       order by channel_id
         for no key update`,
    values: [userId, messageIds],
  })
  await tx.query({
    name: 'lock-reading-in-conversations',
    text: `
      select
        from conversation_members
       where user_id = $1
         and recipient_id in (select recipient_id
                                from messages
                               where id = any($2::bigint[])
                                 and channel_id is null)
       order by recipient_id
         for no key update`,
    values: [userId, messageIds],
  })
}

/** Locks all read ranges of the user, in the order of `lockReading`. */
export async function lockAllReading(tx: Tx, userId: number): Promise<void> {
  tx.lockRecord.add(locks.readRanges)
  await tx.query({
    name: 'lock-all-reading-in-channels',
    text: `
      select
        from subscriptions
       where user_id = $1
       order by channel_id
         for no key update`,
    values: [userId],
  })
  await tx.query({
    name: 'lock-all-reading-in-conversations',
    text: `
      select
        from conversation_members
       where user_id = $1
       order by recipient_id
         for no key update`,
    values: [userId],
  })
}

/**
 * SQL: the messages of a request by recipient: their bare IDs, and their slots, which begin after each one's
 * predecessor so that neighbours merge.
 */
const REQUESTED_RANGES = `
  requested as materialized (
    select m.recipient_id, m.channel_id,
           range_agg(int8range(m.id, m.id + 1)) as ids,
           range_agg(int8range(m.previous_id + 1, m.id + 1)) as slots
      from messages m
     where m.id = any($2::bigint[])
     group by m.recipient_id, m.channel_id
  )`

/** SQL: the single IDs of a multirange that contains only requested IDs. */
const CHANGED_IDS = `
  select id
    from changed
   cross join unnest(changed.ids) part
   cross join generate_series(lower(part), upper(part) - 1) id
   order by id`

/**
 * Marks messages as read and returns those that were unread, in order. It works on whole multiranges, so it costs
 * the same for one message and for all of a channel. Lock with `lockReading` first.
 */
export async function markRead(tx: Tx, userId: number, messageIds: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'mark-read',
    text: `
      with ${REQUESTED_RANGES}, changed as materialized (
        select requested.ids * (s.received - s.read) as ids
          from requested
          join subscriptions s
            on s.channel_id = requested.channel_id
           and s.user_id = $1
         union all
        select requested.ids - c.read
          from requested
          join conversation_members c
            on c.recipient_id = requested.recipient_id
           and c.user_id = $1
      ), in_channels as (
        update subscriptions s
           set read = s.read + requested.slots
          from requested
         where s.channel_id = requested.channel_id
           and s.user_id = $1
           and not s.read @> requested.slots
      ), in_conversations as (
        update conversation_members c
           set read = c.read + requested.slots
          from requested
         where c.recipient_id = requested.recipient_id
           and c.user_id = $1
           and not c.read @> requested.slots
      )
      ${CHANGED_IDS}`,
    values: [userId, messageIds],
  })
  return rows.map(({ id }) => id)
}

/**
 * Marks messages as unread and returns those that were read, in order. `missedIds` are those that the user never
 * received but may read: they count as received from now on. Channels without a subscription are skipped. Lock
 * with `lockReading` first.
 */
export async function markUnread(
  tx: Tx,
  userId: number,
  messageIds: readonly number[],
  missedIds: readonly number[],
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'mark-unread',
    text: `
      with ${REQUESTED_RANGES}, missed as materialized (
        select m.channel_id,
               range_agg(int8range(m.id, m.id + 1)) as ids
          from messages m
         where m.id = any($3::bigint[])
         group by m.channel_id
      ), in_channel as materialized (
        select requested.channel_id, requested.slots,
               coalesce(missed.ids, '{}') as missed,
               coalesce(missed.ids, '{}') + requested.ids * s.received * s.read as ids
          from requested
          join subscriptions s
            on s.channel_id = requested.channel_id
           and s.user_id = $1
          left join missed
            on missed.channel_id = requested.channel_id
         where s.is_active
      ), changed as materialized (
        select ids
          from in_channel
         union all
        select requested.ids * c.read
          from requested
          join conversation_members c
            on c.recipient_id = requested.recipient_id
           and c.user_id = $1
      ), in_channels as (
        update subscriptions s
           set received = s.received + in_channel.missed,
               read = s.read - in_channel.slots
          from in_channel
         where s.channel_id = in_channel.channel_id
           and s.user_id = $1
           and not isempty(in_channel.ids)
      ), in_conversations as (
        update conversation_members c
           set read = c.read - requested.slots
          from requested
         where c.recipient_id = requested.recipient_id
           and c.user_id = $1
           and c.read && requested.ids
      )
      ${CHANGED_IDS}`,
    values: [userId, messageIds, missedIds],
  })
  return rows.map(({ id }) => id)
}
