import type { Tx } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import { countSubscribers, listParticipants } from '../kernel/messages/posting-target.queries.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'
import { storeChannelNotice } from '../messages/notices.ts'
import type { PlannedNotice } from './plan-move.ts'

/** In larger channels everyone has a notice unread, because those who have read it would have to be listed. */
const MAX_LISTED = 10_000

/** Stores the notices of a move, after everything else that it does. */
export async function storeMoveNotices(
  tx: Tx,
  notices: readonly PlannedNotice[],
  requestId: string | null,
): Promise<void> {
  for (const { notice, channel, topic, isForParticipants } of notices) {
    const readerIds = isForParticipants ? await listNonParticipants(tx, channel, topic) : []
    await storeChannelNotice(tx, notice, { channel, topic, requestId, readerIds })
  }
}

/** Lists subscribers who are not participants of a topic. */
async function listNonParticipants(tx: Tx, channel: Channel, topic: string): Promise<number[]> {
  if ((await countSubscribers(tx, channel.id, MAX_LISTED + 1)) > MAX_LISTED) return []
  const participants = new Set(await listParticipants(tx, channel.recipientId, topic))
  const subscribers = (await listSubscriberIds(tx, [channel.id])).get(channel.id) ?? []
  return subscribers.filter((userId) => !participants.has(userId))
}
