import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { getVisibleById } from '../kernel/channels/find-visible.ts'
import type { Context } from '../kernel/context.ts'

/** Returns the record of a channel, if the caller may see it. */
export const handleGetChannel: Handler<typeof endpoints.messaging.getChannel, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { channel } = await getVisibleById(context.db, caller, input.stream_id)
  const [stream] = await listChannelRecords(context.db, [channel.id])
  if (!stream) throw badRequest('Invalid channel ID')
  return { stream }
}
