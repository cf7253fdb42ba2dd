import type { Queryable } from '@tms/service-kit'
import { type Conversation, createConversation, findConversation } from './conversation.queries.ts'

/** The direct conversation between these users, sorted, made with its first message. */
export async function ensureConversation(
  db: Queryable,
  realmId: number,
  sortedUserIds: readonly number[],
): Promise<Conversation> {
  const place =
    (await findConversation(db, realmId, sortedUserIds)) ??
    (await createConversation(db, realmId, sortedUserIds)) ??
    // Another sender was faster; what they committed is visible to a new statement.
    (await findConversation(db, realmId, sortedUserIds))
  if (place === null) throw new Error('a conversation that was just created is gone')
  return place
}
