import { domainEvents, type PayloadOf, topicNameFor } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import { canReadChannel } from './channel-access.ts'
import { type Cache, type ClientEventRef, cached, fieldsOf, present } from './presentation.ts'

const { messagesDeleted } = domainEvents.messaging
type Payload = PayloadOf<typeof messagesDeleted>

/** All IDs in one event, for clients that support it. Others get one event per message, with the following indices. */
const IN_BULK: ClientEventRef = { index: 0, type: 'delete_message' }

export const presentMessagesDeleted = present(messagesDeleted, {
  list: (payload, queue, cache) => {
    if (!isConcerned(payload, queue, cache)) return []
    if (queue.record.client_capabilities.bulk_message_deletion) return [IN_BULK]
    return cached(cache, 'singly', () =>
      payload.message_ids.map((_, position) => ({ index: position + 1, type: 'delete_message' })),
    )
  },
  write: ({ message_ids, channel }, index, queue) => {
    const ids = index === IN_BULK.index ? { message_ids } : { message_id: message_ids[index - 1] }
    const target =
      channel === null
        ? { message_type: 'private' }
        : {
            message_type: 'stream',
            stream_id: channel.id,
            topic: topicNameFor(channel.topic, queue.knows_empty_topics),
          }
    return fieldsOf({ type: 'delete_message', ...ids, ...target })
  },
})

function isConcerned(payload: Payload, queue: QueueState, cache: Cache): boolean {
  const { channel, moved_to, concerns_subscribers, user_ids } = payload
  if (moved_to && canReadChannel(queue, moved_to, cache)) return false
  if (user_ids.includes(queue.record.user_id)) return true
  return channel !== null && concerns_subscribers && queue.channelIds.has(channel.id)
}
