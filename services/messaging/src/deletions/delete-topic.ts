import { badRequest, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import { canAccessChannel } from '../channels/channel.rules.ts'
import type { Context } from '../context.ts'
import { lockForRemoval } from '../messages/place-locks.queries.ts'
import { findChannelPlace } from '../messages/posting-place.queries.ts'
import { listNewestOfTopic } from './deletion.queries.ts'
import { remove } from './remove.ts'

/** Messages of one transaction: the channel is locked while they go. */
const BATCH = 100
/** After so long the client is told to ask again: the gateway waits 30 s for an answer. */
const MAX_MS = 25_000

/** Deletes a topic, newest messages first, in batches that each are told by one event. */
export const handleDeleteTopic: Handler<typeof endpoints.messaging.deleteTopic, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const place = await findChannelPlace(context.db, caller, { id: input.stream_id })
  if (!place || !canAccessChannel(caller, place.channel, { isActive: place.isSubscribed })) {
    throw badRequest('Invalid channel ID')
  }
  const { id, recipientId } = place.channel
  const topic = input.topic_name.trim()
  const deadline = context.now().getTime() + MAX_MS
  while (context.now().getTime() < deadline) {
    const removed = await inTransaction(context.db, async (tx) => {
      await lockForRemoval(tx, [recipientId])
      const { messageIds, spelling } = await listNewestOfTopic(tx, recipientId, topic, BATCH)
      if (messageIds.length === 0) return 0
      const doomed = { messageIds, recipientId, channel: { id, topic: spelling }, userIds: [caller.userId] }
      return remove(tx, context, doomed, { realmId: caller.realmId, requestId })
    })
    context.relay.wake()
    if (removed < BATCH) return { complete: true }
  }
  return { complete: false }
}
