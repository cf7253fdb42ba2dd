import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'

/** For the audit log alone. */
export const signingSecretReplaced = domainEvent({
  name: 'messaging.signing_secret_replaced.v1',
  producer: 'messaging',
  summary: 'The secret that signs the calls of an outgoing webhook was replaced',
  payload: z.object({
    /** The bot. */
    user_id: z.int(),
  }),
  audience: () => [],
  audit: {
    actions: {
      signing_secret_replaced: 'The secret that signs the calls of an outgoing webhook was replaced',
    },
    entries: ({ user_id }) => [
      { action: 'signing_secret_replaced', target: { type: 'user', ids: [user_id] } },
    ],
  },
})
