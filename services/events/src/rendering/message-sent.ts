import {
  canAccessPublicChannels,
  domainEvents,
  emailOfId,
  type PayloadOf,
  topicNameFor,
  UNKNOWN_USER_AVATAR,
  UNKNOWN_USER_NAME,
} from '@tms/contracts'
import { canSeeUser, type QueueState } from '../kernel/queue-state.ts'
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

/** For recipients of the message. */
const RECEIVED = [{ index: 0, type: 'message' }] as const
/** For queues that only listen to public channels: without flags. */
const LISTENER = [{ index: 1, type: 'message' }] as const
/** For guests who receive it and can't see its sender. */
const RECEIVED_FROM_UNKNOWN = [{ index: 2, type: 'message' }] as const
const NOT_DELIVERED = [] as const

export const presentMessageSent = present(messageSent, {
  list: (payload, queue) => {
    const isRecipient =
      payload.recipient_user_ids !== null ||
      queue.channelIds.has(payload.message.stream_id ?? 0) ||
      payload.called_bot_ids?.includes(queue.record.user_id) === true
    if (!isRecipient && !(payload.is_public_channel && canAccessPublicChannels(queue.record.channel_role)))
      return NOT_DELIVERED
    const flags = isRecipient ? flagsFor(payload, queue.record) : []
    const isUnknown = hidesSender(payload, queue)
    const message = isUnknown
      ? fromUnknown(payload.message, unknownEmailHostOf(queue.record))
      : payload.message
    if (!matchesNarrow(queue.record.narrow, message, flags)) return NOT_DELIVERED
    if (isUnknown) return RECEIVED_FROM_UNKNOWN
    return isRecipient ? RECEIVED : LISTENER
  },
  write: (payload, index, queue, cache) => {
    const isUnknown = index === RECEIVED_FROM_UNKNOWN[0].index
    const flags = index === LISTENER[0].index ? '[]' : JSON.stringify(flagsFor(payload, queue))
    const isSendersQueue =
      payload.sender_queue_id === queue.queue_id && payload.message.sender_id === queue.user_id
    const local =
      isSendersQueue && payload.local_id !== null
        ? `,"local_message_id":${JSON.stringify(payload.local_id)}`
        : ''
    return fieldsText(payload, { queue, isUnknown, flags }, cache) + local
  },
})

function flagsFor(payload: Payload, queue: Pick<RenderedQueue, 'user_id'>): readonly string[] {
  const own = payload.flags_by_user[queue.user_id]
  if (payload.flags_of_all.length === 0 || own?.includes('historical')) return own ?? []
  return [...new Set([...(own ?? []), ...payload.flags_of_all])]
}

function hidesSender({ is_sender_outside, message }: Payload, queue: QueueState): boolean {
  return is_sender_outside === true && !canSeeUser(queue, message.sender_id)
}

function fromUnknown(message: Payload['message'], emailHost: string): Payload['message'] {
  return {
    ...message,
    sender_email: emailOfId(message.sender_id, emailHost),
    sender_full_name: UNKNOWN_USER_NAME,
    avatar_url: UNKNOWN_USER_AVATAR,
  }
}

/** Direct messages have no topic. */
function subjectFor({ type, subject }: Payload['message'], queue: RenderedQueue): string {
  return type === 'stream' ? topicNameFor(subject, queue.knows_empty_topics) : subject
}

interface View {
  readonly queue: RenderedQueue
  readonly isUnknown: boolean
  /** As JSON. */
  readonly flags: string
}

/** The event's fields in the client's view. Few views exist, and all queues with the same one share the text. */
function fieldsText(payload: Payload, { queue, isUnknown, flags }: View, cache: Cache): string {
  const hidesGravatar = queue.client_gravatar && payload.sender_is_gravatar && !isUnknown
  const subject = subjectFor(payload.message, queue)
  const form = `${queue.apply_markdown}:${hidesGravatar}:${isUnknown}:${subject}`
  return cached(cache, `fields:${flags}:${form}`, () => {
    const message = cached(cache, `message:${form}`, () =>
      messageText(payload, { queue, isUnknown, hidesGravatar, subject }),
    )
    return `"type":"message","message":${message},"flags":${flags}`
  })
}

/** Renders the message in the client's form; at most twelve forms exist. */
function messageText(
  payload: Payload,
  form: Pick<View, 'queue' | 'isUnknown'> & { readonly hidesGravatar: boolean; readonly subject: string },
): string {
  const { queue, isUnknown, hidesGravatar, subject } = form
  const { raw_content } = payload
  const message = isUnknown ? fromUnknown(payload.message, queue.unknown_email_host) : payload.message
  return `{${fieldsOf({
    ...message,
    subject,
    submessages: message.submessages.map((submessage) => ({ ...submessage, message_id: message.id })),
    ...(queue.apply_markdown ? {} : { content: raw_content, content_type: 'text/x-markdown' }),
    ...(hidesGravatar ? { avatar_url: null } : {}),
  })}}`
}
