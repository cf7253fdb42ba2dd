import { badRequest, type endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { canAccessChannel } from '../channels/channel.rules.ts'
import type { Context } from '../context.ts'
import { type ChannelPlace, findChannelPlace } from '../messages/posting-place.queries.ts'
import { listUnreadIds } from './bulk-reading.queries.ts'
import { changeFlags } from './change-flags.ts'
import { FLAG_BATCH } from './flag.rules.ts'

/** Marks everything of a channel as read. */
export const handleMarkChannelAsRead: Handler<
  typeof endpoints.messaging.markChannelAsRead,
  Context
> = async ({ input, caller, context, requestId }) => {
  const place = await getAccessible(context, caller, input.stream_id)
  await markPartAsRead(context, caller, requestId, place, null)
  return {}
}

/** The channel, if the caller may use its content. Throws BAD_REQUEST. */
export async function getAccessible(
  { db }: Pick<Context, 'db'>,
  caller: Caller,
  channelId: number,
): Promise<ChannelPlace> {
  const place = await findChannelPlace(db, caller, { id: channelId })
  if (!place || !canAccessChannel(caller, place.channel, { isActive: place.isSubscribed })) {
    throw badRequest('Invalid channel ID')
  }
  return place
}

/** Marks what the caller has not read of a channel, or of one of its topics, as read: in batches, oldest first. */
export async function markPartAsRead(
  context: Context,
  caller: Caller,
  requestId: string,
  { channel }: ChannelPlace,
  topic: string | null,
): Promise<void> {
  let afterId = 0
  for (;;) {
    const part = {
      userId: caller.userId,
      recipientId: channel.recipientId,
      topic,
      afterId,
      limit: FLAG_BATCH,
    }
    const messageIds = await listUnreadIds(context.db, part)
    if (messageIds.length > 0) {
      await changeFlags(context, caller, requestId, { flag: 'read', op: 'add', messageIds })
    }
    if (messageIds.length < FLAG_BATCH) return
    afterId = messageIds.at(-1) ?? afterId
  }
}
