import { type endpoints, topicOf } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { lockForRemoval } from '../kernel/locks/removal-locks.queries.ts'
import { getAccessibleChannel } from '../kernel/messages/accessible-channel.ts'
import { deleteMessages } from './delete-messages.ts'
import { listNewestOfTopic } from './deletion.queries.ts'

/** Messages per transaction: the channel is locked meanwhile. */
const BATCH = 100
/** Time after which the client has to ask again: the gateway waits 30 s for an answer. */
const MAX_MS = 25_000

/** Deletes a topic, newest messages first, in batches with one event each. */
export const handleDeleteTopic: Handler<typeof endpoints.messaging.deleteTopic, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const target = await getAccessibleChannel(context.db, caller, input.stream_id)
  const { id, recipientId } = target.channel
  const topic = topicOf(input.topic_name.trim())
  const deadline = context.now().getTime() + MAX_MS
  while (context.now().getTime() < deadline) {
    const removed = await transact(context.db, async (tx) => {
      await lockForRemoval(tx, [recipientId])
      const { messageIds, spelling } = await listNewestOfTopic(tx, recipientId, topic, BATCH)
      if (messageIds.length === 0) return 0
      const toDelete = { messageIds, recipientId, channel: { id, topic: spelling }, userIds: [caller.userId] }
      return deleteMessages(tx, context, toDelete, { realmId: caller.realmId, requestId })
    })
    if (removed < BATCH) return { complete: true }
  }
  return { complete: false }
}
