import { domainEvents, type MessageFlag, type PayloadOf, type QueueRecord } from '@tms/contracts'
import type { QueueState } from '../partitions/queue-state.ts'
import { type Cache, cached, fieldsOf, present } from './presentation.ts'
import { canFollow } from './reach.ts'

const { messageUpdated } = domainEvents.messaging
type Payload = PayloadOf<typeof messageUpdated>

/** `update_message`. Texts come as they are stored, whatever form the queue asked for: clients expect both. */
export const presentMessageUpdated = present(messageUpdated, {
  list: (payload, queue, cache) =>
    isConcerned(payload, queue, cache) ? [{ index: 0, type: 'update_message' }] : [],
  write: (payload, _index, queue, cache) => {
    const update = cached(cache, 'update', () => fieldsOf({ type: 'update_message', ...payload.update }))
    return `${update},"flags":${JSON.stringify(flagsFor(payload, queue, cache))}`
  },
})

function isConcerned(payload: Payload, queue: QueueState, cache: Cache): boolean {
  const { channel, new_channel, holder_ids } = payload
  if (new_channel && !canFollow(queue, new_channel)) return false
  if (cached(cache, 'holders', () => new Set(holder_ids)).has(queue.record.user_id)) return true
  if (channel?.shares_history && queue.channelIds.has(channel.id)) return true
  return new_channel !== null && queue.channelIds.has(new_channel.id)
}

function flagsFor(payload: Payload, { user_id }: QueueRecord, cache: Cache): MessageFlag[] {
  const { unread_user_ids, flags_by_user, flags_of_all } = payload
  const unread = cached(cache, 'unread', () => unread_user_ids && new Set(unread_user_ids))
  const own = flags_by_user[user_id] ?? []
  const isRead = unread !== null && !unread.has(user_id)
  const common = own.includes('historical') ? [] : flags_of_all
  return [...new Set([...(isRead ? (['read'] as const) : []), ...own, ...common])]
}
