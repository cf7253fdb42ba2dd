import { domainEvents } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import { releaseAttachments } from '../attachments/release-attachments.ts'
import { announceFirstMessages } from '../channels/announce-first-messages.ts'
import { listChannelRecords } from '../channels/channel-record.queries.ts'
import type { Context } from '../context.ts'
import { listStrangers } from '../messages/holders.queries.ts'
import { relink } from '../moves/relocate.queries.ts'
import { removeMessages } from './deletion.queries.ts'

/** Messages of one place, all of one topic. */
export interface Doomed {
  readonly messageIds: readonly number[]
  readonly recipientId: number
  /** Null for direct messages. */
  readonly channel: { readonly id: number; readonly topic: string } | null
  /** Who is told beside those of a channel who are subscribed to it or have them. */
  readonly userIds: readonly number[]
}

/**
 * Deletes messages with everything that hangs on them, and tells of it. Needs `lockForRemoval` of their place; at most
 * 1,000 at once. Returns how many there were.
 */
export async function remove(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  { messageIds, recipientId, channel, userIds }: Doomed,
  cause: Cause,
): Promise<number> {
  await releaseAttachments(tx, context, messageIds, cause.requestId)
  const before = channel ? await listChannelRecords(tx, [channel.id]) : []
  const strangers = channel ? await listStrangers(tx, channel.id, messageIds) : []
  const gone = await removeMessages(tx, recipientId, messageIds)
  if (gone.length === 0) return 0
  await relink(tx, recipientId, gone)
  await context.publish(
    tx,
    domainEvents.messaging.messagesDeleted,
    {
      message_ids: gone,
      channel,
      moved_to: null,
      concerns_subscribers: channel !== null,
      user_ids: [...new Set([...userIds, ...strangers])],
    },
    cause,
  )
  await announceFirstMessages(tx, context, before, cause)
  return gone.length
}
