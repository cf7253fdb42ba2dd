import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { getVisibleChannelByName } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'

/** Returns the ID of the channel with a name, if the caller may see it. */
export const handleGetChannelId: Handler<typeof endpoints.messaging.getChannelId, Context> = async ({
  input,
  caller,
  context,
}) => {
  const channel = await getVisibleChannelByName(context.db, caller, input.stream)
  return { stream_id: channel.id }
}
