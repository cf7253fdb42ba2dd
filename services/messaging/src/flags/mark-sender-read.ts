import { domainEvents, type UserProjection } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import { lockAllReading, markRead } from './reading.queries.ts'
import { listNextSent } from './unread-of-sender.queries.ts'

/** Messages per query, and hence at most per event: few events, none too large for a client. */
const BATCH = 5_000

/** Marks all unread messages of one sender as read for a user, and publishes it. */
export async function markSenderRead(
  tx: Tx,
  publish: Publish<'messaging'>,
  { reader, senderId, requestId }: { reader: UserProjection; senderId: number; requestId: string | null },
): Promise<void> {
  const { user_id, realm_id } = reader
  // All locks at once: locking batch by batch would use another order than other requests.
  await lockAllReading(tx, user_id)
  for (let afterId = 0; ; ) {
    const sent = await listNextSent(tx, { userId: user_id, senderId, afterId, limit: BATCH })
    const unreadIds = sent.filter(({ isUnread }) => isUnread).map(({ id }) => id)
    const messages = unreadIds.length > 0 ? await markRead(tx, user_id, unreadIds) : []
    if (messages.length > 0) {
      await publish(
        tx,
        domainEvents.messaging.messageFlagsUpdated,
        { user_id, op: 'add', flag: 'read', messages, all: false },
        { realmId: realm_id, requestId },
      )
    }
    if (sent.length < BATCH) return
    afterId = sent.at(-1)?.id ?? afterId
  }
}
