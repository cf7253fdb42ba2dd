import { type ChannelRecord, domainEvents } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listChannelRecords } from './channel-record.queries.ts'

/**
 * Tells of those channels whose first message is another than in these records, which were read before messages
 * came or went. Needs the locks of the channels' places.
 */
export async function announceFirstMessages(
  tx: Tx,
  { publish }: Pick<Context, 'publish'>,
  before: readonly ChannelRecord[],
  cause: Cause,
): Promise<void> {
  const now = await listChannelRecords(
    tx,
    before.map(({ stream_id }) => stream_id),
  )
  for (const channel of now) {
    const was = before.find(({ stream_id }) => stream_id === channel.stream_id)
    if (!was || was.first_message_id === channel.first_message_id) continue
    const payload = {
      before: { ...channel, first_message_id: was.first_message_id },
      channel,
      subscribers: [],
    }
    await publish(tx, domainEvents.messaging.channelUpdated, payload, cause)
  }
}
