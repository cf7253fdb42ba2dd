import { type ChannelRecord, domainEvents } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findSameViewers } from '../grantees/find-same-viewers.ts'
import { listChannelRecords } from './channel-record.queries.ts'

/**
 * Publishes channels whose first message differs from these records, which were read before messages were added or
 * removed. Needs the locks of the channels' recipients.
 */
export async function publishFirstMessages(
  tx: Tx,
  { publish }: Pick<Context, 'publish'>,
  before: readonly ChannelRecord[],
  cause: Cause,
): Promise<void> {
  const current = await listChannelRecords(
    tx,
    before.map(({ stream_id }) => stream_id),
  )
  for (const channel of current) {
    const previous = before.find(({ stream_id }) => stream_id === channel.stream_id)
    if (!previous || previous.first_message_id === channel.first_message_id) continue
    const payload = {
      before: { ...channel, first_message_id: previous.first_message_id },
      channel,
      subscribers: [],
      ...(await findSameViewers(tx, channel.stream_id)),
    }
    await publish(tx, domainEvents.messaging.channelUpdated, payload, cause)
  }
}
