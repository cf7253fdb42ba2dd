import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { editedRecipient } from '../records.ts'

const typist = z.object({ user_id: z.int(), email: z.string() })

/**
 * Transient: published without the outbox, so it may be lost. `user_ids` are the members of the audience who have
 * `receives_typing_notifications` on (API document, "Set typing status").
 */
export const typingChanged = domainEvent({
  name: 'messaging.typing_changed.v1',
  producer: 'messaging',
  summary: 'A user started typing, is still typing, or stopped',
  payload: z.object({
    user_ids: z.array(z.int()),
    op: z.enum(['start', 'stop']),
    sender: typist,
    target: z.union([
      z.object({ recipients: z.array(typist) }),
      z.object({ stream_id: z.int(), topic: z.string() }),
    ]),
  }),
  audience: ({ user_ids }) => [{ kind: 'users', userIds: user_ids }],
  audit: { none: 'It is about a moment, and stored nowhere.' },
})

/** Transient, as `typingChanged`. */
export const editTypingChanged = domainEvent({
  name: 'messaging.edit_typing_changed.v1',
  producer: 'messaging',
  summary: 'A user started editing a message, is still editing it, or stopped',
  payload: z.object({
    user_ids: z.array(z.int()),
    op: z.enum(['start', 'stop']),
    sender_id: z.int(),
    message_id: z.int(),
    recipient: editedRecipient,
  }),
  audience: ({ user_ids }) => [{ kind: 'users', userIds: user_ids }],
  audit: { none: 'It is about a moment, and stored nowhere.' },
})
