import type { Queryable } from '@tms/service-kit'

/** Finds the newest message that a user has seen; null if there is none. */
export async function findPointer(db: Queryable, userId: number): Promise<number | null> {
  const { rows } = await db.query<{ messageId: number }>({
    name: 'find-pointer',
    text: 'select message_id as "messageId" from pointers where user_id = $1',
    values: [userId],
  })
  return rows[0]?.messageId ?? null
}

/** Moves the pointer of a user to a message, if that is newer. */
export async function advancePointer(db: Queryable, userId: number, messageId: number): Promise<void> {
  await db.query({
    name: 'advance-pointer',
    text: `
      insert into pointers (user_id, message_id)
      values ($1, $2)
          on conflict (user_id) do update
         set message_id = excluded.message_id
       where pointers.message_id < excluded.message_id`,
    values: [userId, messageId],
  })
}
