import type { Tx } from '@tms/service-kit'

/**
 * Locks what the user has read in every place of these messages. Two requests of one user wait for each other
 * here, always in this order, and what follows sees what the other has written.
 */
export async function lockReading(tx: Tx, userId: number, messageIds: readonly number[]): Promise<void> {
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

/** Locks what the user has read anywhere, in the order of `lockReading`. */
export async function lockAllReading(tx: Tx, userId: number): Promise<void> {
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
 * The messages of a request, per place: their bare IDs, and their slots, which reach down to each one's
 * predecessor so that neighbours merge.
 */
const ASKED = `
  asked as materialized (
    select m.recipient_id, m.channel_id,
           range_agg(int8range(m.id, m.id + 1)) as ids,
           range_agg(int8range(m.previous_id + 1, m.id + 1)) as slots
      from messages m
     where m.id = any($2::bigint[])
     group by m.recipient_id, m.channel_id
  )`

/** The single IDs of a multirange that holds nothing but requested IDs. */
const CHANGED_IDS = `
  select id
    from changed
   cross join unnest(changed.ids) part
   cross join generate_series(lower(part), upper(part) - 1) id
   order by id`

/**
 * Marks messages as read and returns those that were unread, in order. Works on whole multiranges, so it
 * costs the same for one message and for all of a channel's. Lock with `lockReading` first.
 */
export async function markRead(tx: Tx, userId: number, messageIds: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'mark-read',
    text: `
      with ${ASKED}, changed as materialized (
        select asked.ids * (s.received - s.read) as ids
          from asked
          join subscriptions s
            on s.channel_id = asked.channel_id
           and s.user_id = $1
         union all
        select asked.ids - c.read
          from asked
          join conversation_members c
            on c.recipient_id = asked.recipient_id
           and c.user_id = $1
      ), in_channels as (
        update subscriptions s
           set read = s.read + asked.slots
          from asked
         where s.channel_id = asked.channel_id
           and s.user_id = $1
           and not s.read @> asked.slots
      ), in_conversations as (
        update conversation_members c
           set read = c.read + asked.slots
          from asked
         where c.recipient_id = asked.recipient_id
           and c.user_id = $1
           and not c.read @> asked.slots
      )
      ${CHANGED_IDS}`,
    values: [userId, messageIds],
  })
  return rows.map(({ id }) => id)
}

/**
 * Marks messages as unread and returns those that were read, in order. `missedIds` are those of them that the
 * user never received but may read: they count as received from now on. Channels that the user is not
 * subscribed to are passed over. Lock with `lockReading` first.
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
      with ${ASKED}, missed as materialized (
        select m.channel_id,
               range_agg(int8range(m.id, m.id + 1)) as ids
          from messages m
         where m.id = any($3::bigint[])
         group by m.channel_id
      ), in_channel as materialized (
        select asked.channel_id, asked.slots,
               coalesce(missed.ids, '{}') as missed,
               coalesce(missed.ids, '{}') + asked.ids * s.received * s.read as ids
          from asked
          join subscriptions s
            on s.channel_id = asked.channel_id
           and s.user_id = $1
          left join missed
            on missed.channel_id = asked.channel_id
         where s.is_active
      ), changed as materialized (
        select ids
          from in_channel
         union all
        select asked.ids * c.read
          from asked
          join conversation_members c
            on c.recipient_id = asked.recipient_id
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
           set read = c.read - asked.slots
          from asked
         where c.recipient_id = asked.recipient_id
           and c.user_id = $1
           and c.read && asked.ids
      )
      ${CHANGED_IDS}`,
    values: [userId, messageIds, missedIds],
  })
  return rows.map(({ id }) => id)
}
