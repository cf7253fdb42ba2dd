import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { getVisibleChannel } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'

/** Returns the record of a channel, if the caller may see it. */
export const handleGetChannel: Handler<typeof endpoints.messaging.getChannel, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { channel } = await getVisibleChannel(context.db, caller, input.stream_id)
  const [stream] = await listChannelRecords(context.db, [channel.id])
  if (!stream) throw badRequest('Invalid channel ID')
  return { stream }
}
