import { domainEvents, type PayloadOf, type QueueRecord, Role } from '@tms/contracts'
import { matchesNarrow } from './event-narrow.ts'
import { type Cache, cached, fieldsOf, present } from './presentation.ts'

const { messageSent } = domainEvents.messaging
type Payload = PayloadOf<typeof messageSent>

/** To those who hold the message. */
const HELD = [{ index: 0, type: 'message' }] as const
/** To those who only listen to public channels: their copy carries no flags. */
const OVERHEARD = [{ index: 1, type: 'message' }] as const
const NOT_DELIVERED = [] as const

/** `message` events. */
export const presentMessageSent = present(messageSent, {
  list: (payload, queue) => {
    const isHeld = payload.recipient_user_ids !== null || queue.channelIds.has(payload.message.stream_id ?? 0)
    if (!isHeld && !(payload.is_public_channel && queue.record.channel_role <= Role.member))
      return NOT_DELIVERED
    const flags = isHeld ? flagsFor(payload, queue.record) : []
    if (!matchesNarrow(queue.record.narrow, payload.message, flags)) return NOT_DELIVERED
    return isHeld ? HELD : OVERHEARD
  },
  write: (payload, index, queue, cache) => {
    const message = messageText(payload, queue, cache)
    const flags = index === 0 ? JSON.stringify(flagsFor(payload, queue)) : '[]'
    const isSendersQueue = payload.local_id !== null && payload.sender_queue_id === queue.queue_id
    const local = isSendersQueue ? `,"local_message_id":${JSON.stringify(payload.local_id)}` : ''
    return `"type":"message","message":${message},"flags":${flags}${local}`
  },
})

function flagsFor(payload: Payload, queue: QueueRecord): readonly string[] {
  const own = payload.flags_by_user[queue.user_id]
  if (payload.flags_of_all.length === 0) return own ?? []
  return [...new Set([...(own ?? []), ...payload.flags_of_all])]
}

/** The message in the client's form; at most four forms exist, each serialized once for all queues. */
function messageText(payload: Payload, queue: QueueRecord, cache: Cache): string {
  const hidesGravatar = queue.client_gravatar && payload.sender_is_gravatar
  return cached(cache, `message:${queue.apply_markdown}:${hidesGravatar}`, () => {
    const { message, raw_content } = payload
    return `{${fieldsOf({
      ...message,
      submessages: message.submessages.map((submessage) => ({ ...submessage, message_id: message.id })),
      ...(queue.apply_markdown ? {} : { content: raw_content, content_type: 'text/x-markdown' }),
      ...(hidesGravatar ? { avatar_url: null } : {}),
    })}}`
  })
}
