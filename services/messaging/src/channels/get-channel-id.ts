import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { getVisibleByName } from './find-visible.ts'

/** A channel's ID by its name, for whoever may know of the channel. */
export const handleGetChannelId: Handler<typeof endpoints.messaging.getChannelId, Context> = async ({
  input,
  caller,
  context,
}) => {
  const channel = await getVisibleByName(context.db, caller, input.stream)
  return { stream_id: channel.id }
}
