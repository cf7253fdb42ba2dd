import { domainEvents, type UserFacts } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import { lockAllReading, markRead } from './reading.queries.ts'
import { listUnreadOf } from './unread-of-sender.queries.ts'

/** Messages in one event: large enough to be few, small enough for a client to take in one piece. */
const BATCH = 1_000

/** Marks whatever a user has not read of one sender as read, and tells the user's clients. */
export async function readMessagesOf(
  tx: Tx,
  publish: Publish<'messaging'>,
  { reader, senderId, requestId }: { reader: UserFacts; senderId: number; requestId: string | null },
): Promise<void> {
  const { user_id, realm_id } = reader
  // Everything at once: place by place, batches would take the locks in another order than other requests.
  await lockAllReading(tx, user_id)
  for (let afterId = 0; ; ) {
    const unread = await listUnreadOf(tx, { userId: user_id, senderId, afterId, limit: BATCH })
    const messages = await markRead(tx, user_id, unread)
    if (messages.length > 0) {
      await publish(
        tx,
        domainEvents.messaging.messageFlagsUpdated,
        { user_id, op: 'add', flag: 'read', messages, all: false },
        { realmId: realm_id, requestId },
      )
    }
    if (unread.length < BATCH) return
    afterId = unread.at(-1) ?? afterId
  }
}
