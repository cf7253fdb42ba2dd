import {
  domainEvents,
  emailOfId,
  type PayloadOf,
  Role,
  UNKNOWN_USER_AVATAR,
  UNKNOWN_USER_NAME,
} from '@tms/contracts'
import { type QueueState, seesPerson } from '../partitions/queue-state.ts'
import { matchesNarrow } from './event-narrow.ts'
import {
  type Cache,
  cached,
  fieldsOf,
  present,
  type RenderedQueue,
  unknownEmailHostOf,
} from './presentation.ts'

const { messageSent } = domainEvents.messaging
type Payload = PayloadOf<typeof messageSent>

/** To those who hold the message. */
const HELD = [{ index: 0, type: 'message' }] as const
/** To those who only listen to public channels: their copy carries no flags. */
const OVERHEARD = [{ index: 1, type: 'message' }] as const
/** To guests who hold it and don't see who has sent it. */
const HELD_FROM_UNKNOWN = [{ index: 2, type: 'message' }] as const
const NOT_DELIVERED = [] as const

/** `message` events. */
export const presentMessageSent = present(messageSent, {
  list: (payload, queue) => {
    const isHeld =
      payload.recipient_user_ids !== null ||
      queue.channelIds.has(payload.message.stream_id ?? 0) ||
      payload.called_bot_ids?.includes(queue.record.user_id) === true
    if (!isHeld && !(payload.is_public_channel && queue.record.channel_role <= Role.member))
      return NOT_DELIVERED
    const flags = isHeld ? flagsFor(payload, queue.record) : []
    const isUnknown = hidesSender(payload, queue)
    const message = isUnknown
      ? fromUnknown(payload.message, unknownEmailHostOf(queue.record))
      : payload.message
    if (!matchesNarrow(queue.record.narrow, message, flags)) return NOT_DELIVERED
    if (isUnknown) return HELD_FROM_UNKNOWN
    return isHeld ? HELD : OVERHEARD
  },
  write: (payload, index, queue, cache) => {
    const isUnknown = index === HELD_FROM_UNKNOWN[0].index
    const message = messageText(payload, queue, isUnknown, cache)
    const flags = index === OVERHEARD[0].index ? '[]' : JSON.stringify(flagsFor(payload, queue))
    const isSendersQueue =
      payload.sender_queue_id === queue.queue_id && payload.message.sender_id === queue.user_id
    const local =
      isSendersQueue && payload.local_id !== null
        ? `,"local_message_id":${JSON.stringify(payload.local_id)}`
        : ''
    return `"type":"message","message":${message},"flags":${flags}${local}`
  },
})

function flagsFor(payload: Payload, queue: Pick<RenderedQueue, 'user_id'>): readonly string[] {
  const own = payload.flags_by_user[queue.user_id]
  if (payload.flags_of_all.length === 0 || own?.includes('historical')) return own ?? []
  return [...new Set([...(own ?? []), ...payload.flags_of_all])]
}

function hidesSender({ is_sender_outside, message }: Payload, queue: QueueState): boolean {
  return is_sender_outside === true && !seesPerson(queue, message.sender_id)
}

function fromUnknown(message: Payload['message'], emailHost: string): Payload['message'] {
  return {
    ...message,
    sender_email: emailOfId(message.sender_id, emailHost),
    sender_full_name: UNKNOWN_USER_NAME,
    avatar_url: UNKNOWN_USER_AVATAR,
  }
}

/** The message in the client's form; at most six forms exist, each serialized once for all queues. */
function messageText(payload: Payload, queue: RenderedQueue, isUnknown: boolean, cache: Cache): string {
  const hidesGravatar = queue.client_gravatar && payload.sender_is_gravatar && !isUnknown
  return cached(cache, `message:${queue.apply_markdown}:${hidesGravatar}:${isUnknown}`, () => {
    const { raw_content } = payload
    const message = isUnknown ? fromUnknown(payload.message, queue.unknown_email_host) : payload.message
    return `{${fieldsOf({
      ...message,
      submessages: message.submessages.map((submessage) => ({ ...submessage, message_id: message.id })),
      ...(queue.apply_markdown ? {} : { content: raw_content, content_type: 'text/x-markdown' }),
      ...(hidesGravatar ? { avatar_url: null } : {}),
    })}}`
  })
}
