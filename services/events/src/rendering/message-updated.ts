import { domainEvents, type MessageFlag, type PayloadOf } from '@tms/contracts'
import type { QueueState } from '../partitions/queue-state.ts'
import {
  type Cache,
  type ClientEventRef,
  cached,
  fieldsOf,
  present,
  type RenderedQueue,
} from './presentation.ts'
import { canFollow } from './reach.ts'

const { messageUpdated } = domainEvents.messaging
type Payload = PayloadOf<typeof messageUpdated>

const UPDATE: ClientEventRef = { index: 0, type: 'update_message' }
/** To those who could not see the messages where they were before they came to another channel. */
const ARRIVAL: ClientEventRef = { index: 1, type: 'update_message' }

/** `update_message`. Texts come as they are stored, whatever form the queue asked for: clients expect both. */
export const presentMessageUpdated = present(messageUpdated, {
  list: (payload, queue, cache) => {
    const { new_channel } = payload
    if (new_channel && !canFollow(queue, new_channel)) return []
    if (couldSee(payload, queue, cache)) return [UPDATE]
    if (!new_channel || !queue.channelIds.has(new_channel.id)) return []
    return [isOpenTo(payload, queue) ? UPDATE : ARRIVAL]
  },
  write: (payload, index, queue, cache) => {
    const update = cached(cache, `update:${index}`, () =>
      fieldsOf({
        type: 'update_message',
        ...(index === ARRIVAL.index ? arrivalOf(payload) : payload.update),
      }),
    )
    return `${update},"flags":${JSON.stringify(flagsFor(payload, queue, cache))}`
  },
})

/** Whether a queue's owner had the messages before, received or as part of a history that they share. */
function couldSee({ channel, holder_ids }: Payload, queue: QueueState, cache: Cache): boolean {
  if (cached(cache, 'holders', () => new Set(holder_ids)).has(queue.record.user_id)) return true
  return channel?.shares_history === true && queue.channelIds.has(channel.id)
}

/** Whether a queue's owner could have read the messages where they were. */
const isOpenTo = ({ channel }: Payload, queue: QueueState): boolean =>
  channel !== null && channel.shares_history && canFollow(queue, channel)

/**
 * The change as it looks from the new channel: messages are in a topic there, and nothing is said of the old one. With how it
 * moved it would be a move from nowhere, for which clients refuse the whole answer.
 */
function arrivalOf({ update, arrival }: Payload): Record<string, unknown> {
  const { stream_id: _, stream_name: __, new_stream_id: ___, propagate_mode: ____, ...others } = update
  return { ...others, ...arrival, orig_subject: arrival?.subject }
}

function flagsFor(payload: Payload, { user_id }: RenderedQueue, cache: Cache): MessageFlag[] {
  const { unread_user_ids, flags_by_user, flags_of_all } = payload
  const unread = cached(cache, 'unread', () => unread_user_ids && new Set(unread_user_ids))
  const own = flags_by_user[user_id] ?? []
  const isRead = unread !== null && !unread.has(user_id)
  const common = own.includes('historical') ? [] : flags_of_all
  return [...new Set([...(isRead ? (['read'] as const) : []), ...own, ...common])]
}
