import { domainEvents, type MessageFlag, type PayloadOf } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import { canReadChannel, canReadHistory } from './channel-access.ts'
import {
  type Cache,
  type ClientEventRef,
  cached,
  cachedByTopicForm,
  fieldsOf,
  present,
  type RenderedQueue,
} from './presentation.ts'

const { messageUpdated } = domainEvents.messaging
type Payload = PayloadOf<typeof messageUpdated>

const UPDATE: ClientEventRef = { index: 0, type: 'update_message' }
/** For users who can see the messages only in the channel that they were moved to. */
const ARRIVAL: ClientEventRef = { index: 1, type: 'update_message' }

/** `update_message`. Contains the stored texts in both forms, regardless of the one that the queue requested. */
export const presentMessageUpdated = present(messageUpdated, {
  list: (payload, queue, cache) => {
    const { new_channel } = payload
    if (new_channel && !canReadChannel(queue, new_channel, cache)) return []
    if (couldSee(payload, queue, cache)) return [UPDATE]
    if (!new_channel || !queue.channelIds.has(new_channel.id)) return []
    return [isOpenTo(payload, queue, cache) ? UPDATE : ARRIVAL]
  },
  write: (payload, index, queue, cache) => {
    const update = cachedByTopicForm(cache, `update:${index}`, queue, (nameOf) => {
      const fields = index === ARRIVAL.index ? arrivalOf(payload) : payload.update
      const { subject, orig_subject } = fields
      return fieldsOf({
        type: 'update_message',
        ...fields,
        ...(subject === undefined ? {} : { subject: nameOf(subject) }),
        ...(orig_subject === undefined ? {} : { orig_subject: nameOf(orig_subject) }),
      })
    })
    return `${update},"flags":${JSON.stringify(flagsFor(payload, queue, cache))}`
  },
})

/** Whether a queue's owner could see the messages before, as a recipient or through a shared history. */
function couldSee({ channel, holder_ids }: Payload, queue: QueueState, cache: Cache): boolean {
  if (cached(cache, 'holders', () => new Set(holder_ids)).has(queue.record.user_id)) return true
  return channel?.shares_history === true && queue.channelIds.has(channel.id)
}

/** Whether a queue's owner could have read the messages in their former channel. */
const isOpenTo = ({ channel }: Payload, queue: QueueState, cache: Cache): boolean =>
  channel !== null && canReadHistory(queue, channel, cache)

/**
 * The change as seen from the new channel: the messages are in a topic there, without the old channel. With the fields of a move
 * but no old channel, clients would reject the whole answer.
 */
function arrivalOf({ update, arrival }: Payload): Partial<Payload['update']> {
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
