import type { Queryable } from '@tms/service-kit'
import {
  type Conversation,
  createConversation,
  findConversation,
} from '../kernel/messages/conversation.queries.ts'

/** Returns the direct conversation between these users, sorted, and creates it for its first message. */
export async function ensureConversation(
  db: Queryable,
  realmId: number,
  sortedUserIds: readonly number[],
): Promise<Conversation> {
  const conversation =
    (await findConversation(db, realmId, sortedUserIds)) ??
    (await createConversation(db, realmId, sortedUserIds)) ??
    // Another sender was faster. A new statement sees the conversation that it committed.
    (await findConversation(db, realmId, sortedUserIds))
  if (conversation === null) throw new Error('a conversation that was just created is missing')
  return conversation
}
