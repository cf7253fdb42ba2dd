import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { type Reader, readerOf } from '../spectators/reader.ts'
import { findChannelById } from './channel.queries.ts'
import { canAccessChannel, canReadHistory } from './channel.rules.ts'
import { getVisibleById } from './find-visible.ts'
import { listReceivedTopics, listTopics } from './topic.queries.ts'

/** The topics of a channel's messages that the caller may read. */
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
  return { topics }
}

/** Throws BAD_REQUEST, to spectators UNAUTHORIZED, for a channel that the reader may not use, whether it exists or not. */
async function getReadableChannel({ db }: Pick<Context, 'db'>, reader: Reader, channelId: number) {
  if (reader.isSpectator) {
    const channel = await findChannelById(db, reader.realmId, channelId)
    if (!channel?.isWebPublic) throw new AppError('UNAUTHORIZED')
    return { channel, membership: null }
  }
  const visible = await getVisibleById(db, reader, channelId)
  // Administrators know of every channel, but read only what others in their place may.
  if (!canAccessChannel(reader, visible.channel, visible.membership)) throw badRequest('Invalid channel ID')
  return visible
}
