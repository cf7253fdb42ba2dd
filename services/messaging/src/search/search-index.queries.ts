import type { Queryable } from '@tms/service-kit'

/** Moves what sends appended to the indexes of search to where it is found fast. Cheap if there is nothing. */
export async function takeInPending(db: Queryable): Promise<void> {
  await db.query({
    name: 'take-in-pending',
    text: `select gin_clean_pending_list('messages_search'), gin_clean_pending_list('messages_literal')`,
  })
}
