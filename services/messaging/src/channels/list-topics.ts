import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { canAccessChannel, canReadHistory } from './channel.rules.ts'
import { getVisibleById } from './find-visible.ts'
import { listReceivedTopics, listTopics } from './topic.queries.ts'

/** The topics of a channel's messages that the caller may read. */
export const handleListTopics: Handler<typeof endpoints.messaging.listTopics, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { channel, membership } = await getVisibleById(context.db, caller, input.stream_id)
  // Administrators know of every channel, but read only what others in their place may.
  if (!canAccessChannel(caller, channel, membership)) throw badRequest('Invalid channel ID')
  const topics = canReadHistory(caller, channel, membership)
    ? await listTopics(context.db, channel.recipientId)
    : await listReceivedTopics(context.db, {
        recipientId: channel.recipientId,
        channelId: channel.id,
        userId: caller.userId,
      })
  return { topics }
}
