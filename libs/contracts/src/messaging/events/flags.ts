import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { messageFlag } from '../records.ts'

export const messageFlagsUpdated = domainEvent({
  name: 'messaging.message_flags_updated.v1',
  producer: 'messaging',
  summary: "One user's flags on messages changed",
  payload: z.object({
    user_id: z.int(),
    op: z.enum(['add', 'remove']),
    flag: messageFlag,
    messages: z.array(z.int()),
    all: z.boolean(),
    /** Only if `read` is removed: where each message is, keyed by its ID. */
    message_details: z.record(z.string(), z.looseObject({ topic: z.string().optional() })).optional(),
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'What a user has read or starred concerns nobody else.' },
})
