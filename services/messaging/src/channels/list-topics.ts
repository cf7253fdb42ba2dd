import { AppError, badRequest, type endpoints, topicNameFor } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { canAccessChannel, canReadHistory } from '../kernel/access/channel.rules.ts'
import { findChannelById } from '../kernel/channels/channel.queries.ts'
import { getVisibleChannel } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'
import { type Reader, readerOf } from '../kernel/spectators/reader.ts'
import { listReceivedTopics, listTopics } from './topic.queries.ts'

/** Lists the topics of the messages of a channel that the caller may read. */
export const handleListTopics: Handler<typeof endpoints.messaging.listTopics, Context> = async ({
  input,
  caller,
  context,
}) => {
  const reader = readerOf(caller)
  const { channel, membership } = await getReadableChannel(context, reader, input.stream_id)
  const topics = canReadHistory(reader, channel, membership)
    ? await listTopics(context.db, channel.recipientId)
    : await listReceivedTopics(context.db, {
        recipientId: channel.recipientId,
        channelId: channel.id,
        userId: reader.userId,
      })
  const knowsEmptyTopics = input.allow_empty_topic_name ?? false
  return {
    topics: topics.map(({ name, max_id }) => ({ name: topicNameFor(name, knowsEmptyTopics), max_id })),
  }
}

/**
 * Throws BAD_REQUEST, and UNAUTHORIZED to spectators, if the reader may not access the channel or it doesn't
 * exist.
 */
async function getReadableChannel({ db }: Pick<Context, 'db'>, reader: Reader, channelId: number) {
  if (reader.isSpectator) {
    const channel = await findChannelById(db, reader.realmId, channelId)
    if (!channel || !canAccessChannel(reader, channel, null)) throw new AppError('UNAUTHORIZED')
    return { channel, membership: null }
  }
  const visible = await getVisibleChannel(db, reader, channelId)
  // Administrators see every channel, but read only those that they may access.
  if (!canAccessChannel(reader, visible.channel, visible.membership)) throw badRequest('Invalid channel ID')
  return visible
}
