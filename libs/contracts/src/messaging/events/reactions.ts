import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { audienceOfHolders, messageHolders } from '../message-audience.ts'
import { reactionEmoji } from '../records.ts'

/** Delivered in order per message. */
export const reactionUpdated = domainEvent({
  name: 'messaging.reaction_updated.v1',
  producer: 'messaging',
  summary: 'A user reacted to a message, or took that back',
  payload: reactionEmoji.extend({
    op: z.enum(['add', 'remove']),
    message_id: z.int(),
    user: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }),
    /** Only there when true: guests' sight is limited, so not every guest may see who it is. */
    is_user_guarded: z.boolean().optional(),
    holders: messageHolders,
  }),
  audience: ({ holders }) => audienceOfHolders(holders),
})
