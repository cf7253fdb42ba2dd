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

/** Gives a message that was just sent to users who don't receive it and are mentioned in it. */
export async function addMentionedRows(tx: Tx, messageId: number, userIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'add-mentioned-rows',
    text: `
      insert into message_flags (user_id, message_id, is_mentioned, is_historical)
      select user_id, $1, true, true
        from unnest($2::bigint[]) as called (user_id)`,
    values: [messageId, userIds],
  })
}
