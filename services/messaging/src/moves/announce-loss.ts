import { domainEvents } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listHolders } from '../messages/holders.queries.ts'
import type { MovePlan } from './plan-move.ts'
import { reachOf } from './reach.ts'

/** IDs in one event: clients that don't take lists get one event for each. */
const MAX_IDS = 1_000

/** Tells those who can't follow messages to another channel that they are gone from where they were. */
export async function announceLoss(
  tx: Tx,
  { publish }: Pick<Context, 'publish'>,
  { source, target }: Pick<MovePlan, 'source' | 'target'>,
  { topic, messageIds }: { topic: string; messageIds: readonly number[] },
  requestId: string | null,
): Promise<void> {
  if (source.id === target.id || target.isWebPublic) return
  const isShared = source.historyPublicToSubscribers
  const userIds = await listHolders(tx, source.id, messageIds, isShared ? 'strangers' : 'everyone')
  for (let from = 0; from < messageIds.length; from += MAX_IDS) {
    await publish(
      tx,
      domainEvents.messaging.messagesDeleted,
      {
        message_ids: messageIds.slice(from, from + MAX_IDS),
        channel: { id: source.id, topic },
        moved_to: reachOf(target),
        concerns_subscribers: isShared,
        user_ids: userIds,
      },
      { realmId: source.realmId, requestId },
    )
  }
}
