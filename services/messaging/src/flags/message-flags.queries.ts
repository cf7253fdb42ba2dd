import type { Tx } from '@tms/service-kit'

/** Columns of flags that users set on single messages. */
const COLUMNS = { starred: 'is_starred', collapsed: 'is_collapsed' } as const
export type MarkFlag = keyof typeof COLUMNS

/**
 * Sets a flag and returns the messages that did not have it. `missedIds` are those that the user never received;
 * their rows become historical. Rows are locked in the order of their IDs, so that overlapping requests can't
 * deadlock.
 */
export async function setFlag(
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

/** Removes a flag and returns the messages that had it. */
export async function clearFlag(
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

/** Records that the user has these messages without having received them. */
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
 * Delivers a message that was just sent to bots that are mentioned in a channel without being in it, unread and
 * mentioned. It is stored in a row of `subscriptions` without a subscription, like messages that moved to a
 * channel that their reader never joined. Needs the lock of the recipient.
 */
export async function deliverToMentionedBots(
  tx: Tx,
  messageId: number,
  botIds: readonly number[],
): Promise<void> {
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
