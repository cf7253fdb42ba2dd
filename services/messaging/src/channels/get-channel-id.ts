import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { getVisibleByName } from '../kernel/channels/find-visible.ts'
import type { Context } from '../kernel/context.ts'

/** Returns the ID of the channel with a name, if the caller may see it. */
export const handleGetChannelId: Handler<typeof endpoints.messaging.getChannelId, Context> = async ({
  input,
  caller,
  context,
}) => {
  const channel = await getVisibleByName(context.db, caller, input.stream)
  return { stream_id: channel.id }
}
