import { domainEvents, type MessageHolders } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listReaders } from '../kernel/grantees/grantees.queries.ts'
import { toChannelAccess } from './channel-access.ts'
import type { MovePlan } from './plan-move.ts'

/** IDs in one event: clients without support for lists get one event for each ID. */
const MAX_IDS = 1_000

/** Publishes the deletion of moved messages to users who had them and may not read them in the other channel. */
export async function announceLostAccess(
  tx: Tx,
  { publish }: Pick<Context, 'publish'>,
  { source, target }: Pick<MovePlan, 'source' | 'target'>,
  { topic, messageIds, holders }: { topic: string; messageIds: readonly number[]; holders: MessageHolders },
  requestId: string | null,
): Promise<void> {
  if (source.id === target.id || target.isWebPublic) return
  const readers = (await listReaders(tx, [target.id])).get(target.id)
  for (let from = 0; from < messageIds.length; from += MAX_IDS) {
    await publish(
      tx,
      domainEvents.messaging.messagesDeleted,
      {
        message_ids: messageIds.slice(from, from + MAX_IDS),
        channel: { id: source.id, topic },
        moved_to: toChannelAccess(target, readers),
        concerns_subscribers: holders.channel_id !== null,
        user_ids: holders.user_ids,
      },
      { realmId: source.realmId, requestId },
    )
  }
}
