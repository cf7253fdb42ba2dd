import type { Tx } from '@tms/service-kit'

/** Columns of the flags that a user sets on single messages. */
const COLUMNS = { starred: 'is_starred', collapsed: 'is_collapsed' } as const
export type MarkFlag = keyof typeof COLUMNS

/**
 * Sets a flag and returns the messages that did not have it. `missedIds` are those that the user never
 * received: their rows say so. Rows are taken in the order of their IDs, so requests that overlap can't block
 * each other for good.
 */
export async function setMark(
  tx: Tx,
  userId: number,
  flag: MarkFlag,
  messageIds: readonly number[],
  missedIds: readonly number[],
): Promise<number[]> {
  const column = COLUMNS[flag]
  const { rows } = await tx.query<{ id: number }>({
    name: `set-${flag}`,
    text: `
      insert into message_flags (user_id, message_id, ${column}, is_historical)
      select $1, id, true, id = any($3::bigint[])
        from unnest($2::bigint[]) as wanted (id)
       order by id
          on conflict (user_id, message_id) do update
         set ${column} = true
       where not message_flags.${column}
      returning message_id as id`,
    values: [userId, messageIds, missedIds],
  })
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Takes a flag away and returns the messages that had it. */
export async function clearMark(
  tx: Tx,
  userId: number,
  flag: MarkFlag,
  messageIds: readonly number[],
): Promise<number[]> {
  const column = COLUMNS[flag]
  const { rows } = await tx.query<{ id: number }>({
    name: `clear-${flag}`,
    text: `
      with locked as materialized (
        select message_id
          from message_flags
         where user_id = $1
           and message_id = any($2::bigint[])
           and ${column}
         order by message_id
           for no key update
      )
      update message_flags f
         set ${column} = false
        from locked
       where f.user_id = $1
         and f.message_id = locked.message_id
      returning f.message_id as id`,
    values: [userId, messageIds],
  })
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Notes that the user has these messages though they were never received. */
export async function addHistoricalRows(
  tx: Tx,
  userId: number,
  messageIds: readonly number[],
): Promise<void> {
  await tx.query({
    name: 'add-historical-rows',
    text: `
      insert into message_flags (user_id, message_id, is_historical)
      select $1, id, true
        from unnest($2::bigint[]) as wanted (id)
       order by id
          on conflict (user_id, message_id) do update
         set is_historical = true
       where not message_flags.is_historical`,
    values: [userId, messageIds],
  })
}

/**
 * Has bots receive a message that was just sent to a channel in which they aren't, unread and mentioned: a row of
 * `subscriptions` that is none holds it, as one holds what moved to a channel that its reader never joined. Needs the lock
 * of the channel's place.
 */
export async function receiveMentioned(tx: Tx, messageId: number, botIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'receive-mentioned',
    text: `
      with flagged as (
        insert into message_flags (user_id, message_id, is_mentioned)
        select user_id, $1, true
          from unnest($2::bigint[]) as bot (user_id)
      )
      insert into subscriptions (channel_id, user_id, is_active, was_subscribed, received, color)
      select channel_id, user_id, false, false, int8multirange(int8range(id, id, '[]')), ''
        from messages, unnest($2::bigint[]) as bot (user_id)
       where id = $1
       order by user_id
          on conflict (channel_id, user_id) do update
         set received = subscriptions.received + excluded.received`,
    values: [messageId, botIds],
  })
}
