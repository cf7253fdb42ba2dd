import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { audienceOfHolders, messageHolders } from '../message-audience.ts'
import { reactionEmoji } from '../records.ts'

/** Delivered in order per message. */
export const reactionUpdated = domainEvent({
  name: 'messaging.reaction_updated.v1',
  producer: 'messaging',
  summary: 'A user added or removed a reaction to a message',
  payload: reactionEmoji.extend({
    op: z.enum(['add', 'remove']),
    message_id: z.int(),
    user: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }),
    /** Only present if true: the organization restricts what guests see, so some guests may not see who it is. */
    is_user_guarded: z.boolean().optional(),
    holders: messageHolders,
  }),
  audience: ({ holders }) => audienceOfHolders(holders),
  audit: { none: 'A reaction is content, not administration.' },
})
