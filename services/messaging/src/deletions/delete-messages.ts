import { domainEvents } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import { releaseAttachments } from '../attachments/release-attachments.ts'
import { publishUnstarred } from '../flags/publish-unstarred.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { publishFirstMessages } from '../kernel/channels/publish-first-messages.ts'
import type { Context } from '../kernel/context.ts'
import { listUnsubscribedHolders } from '../kernel/messages/holders.queries.ts'
import { relink } from '../kernel/messages/relink.queries.ts'
import { deleteMessageRows } from './deletion.queries.ts'

/** Messages of one recipient and one topic. */
export interface MessagesToDelete {
  readonly messageIds: readonly number[]
  readonly recipientId: number
  /** Null for direct messages. */
  readonly channel: { readonly id: number; readonly topic: string } | null
  /** Users to notify besides the subscribers of a channel and former subscribers with the messages. */
  readonly userIds: readonly number[]
}

/**
 * Deletes messages with everything attached to them, and publishes it. Needs `lockForRemoval` of their recipient;
 * at most 1,000 at once. Returns how many existed.
 */
export async function deleteMessages(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  { messageIds, recipientId, channel, userIds }: MessagesToDelete,
  cause: Cause,
): Promise<number> {
  await releaseAttachments(tx, context, messageIds, cause.requestId)
  const before = channel ? await listChannelRecords(tx, [channel.id]) : []
  const unsubscribedIds = channel ? await listUnsubscribedHolders(tx, channel.id, messageIds) : []
  const { deletedIds: deleted, stars } = await deleteMessageRows(
    tx,
    recipientId,
    messageIds,
    channel?.id ?? null,
  )
  const informedIds = [...new Set([...userIds, ...unsubscribedIds])]
  if (deleted.length === 0) return 0
  await relink(tx, recipientId, deleted)
  await context.publish(
    tx,
    domainEvents.messaging.messagesDeleted,
    {
      message_ids: deleted,
      channel,
      moved_to: null,
      concerns_subscribers: channel !== null,
      user_ids: informedIds,
    },
    cause,
  )
  await publishUnstarred(tx, context, stars, informedIds, cause)
  await publishFirstMessages(tx, context, before, cause)
  return deleted.length
}
