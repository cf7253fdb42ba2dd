import type { Tx } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { publishFirstMessages } from '../kernel/channels/publish-first-messages.ts'
import type { Context } from '../kernel/context.ts'
import { countSubscribers, listParticipants } from '../kernel/messages/posting-target.queries.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'
import { storeChannelNotice } from '../messages/notices.ts'
import type { PlannedNotice } from './plan-move.ts'

/** In larger channels everyone has a notice unread, because those who have read it would have to be listed. */
const MAX_LISTED = 10_000

/** Stores the notices of a move, after everything else that it does. */
export async function storeMoveNotices(
  tx: Tx,
  { publish }: Pick<Context, 'publish'>,
  notices: readonly PlannedNotice[],
  requestId: string | null,
): Promise<void> {
  for (const { notice, channel, topic, isForParticipants } of notices) {
    const readerIds = isForParticipants ? await listNonParticipants(tx, channel, topic) : []
    // The move may have emptied the channel that it came from.
    const before = await listChannelRecords(tx, [channel.id])
    await storeChannelNotice(tx, notice, { channel, topic, requestId, readerIds })
    await publishFirstMessages(tx, { publish }, before, { realmId: channel.realmId, requestId })
  }
}

/** Lists subscribers who are not participants of a topic. */
async function listNonParticipants(tx: Tx, channel: Channel, topic: string): Promise<number[]> {
  if ((await countSubscribers(tx, channel.id, MAX_LISTED + 1)) > MAX_LISTED) return []
  const participants = new Set(await listParticipants(tx, channel.recipientId, topic))
  const subscribers = (await listSubscriberIds(tx, [channel.id])).get(channel.id) ?? []
  return subscribers.filter((userId) => !participants.has(userId))
}
