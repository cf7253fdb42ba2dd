import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { comparedConversation, missedConversation } from '../../users/missed-messages.ts'

/**
 * Compares what mails of a user say with now, since they may have waited for the mail server. `same`: all of it is unread, visible and
 * as it was. `empty`: nothing of it is unread and visible. `changed`: the conversation is different now.
 */
export const compareMissedMessages = internalEndpoint({
  name: 'compareMissedMessages',
  owner: 'messaging',
  path: '/internal/missed-message-comparisons',
  body: z.object({
    realm_id: z.int(),
    user_id: z.int(),
    /** When the conversations were described, in milliseconds since 1970. */
    described_at: z.int(),
    conversations: z.array(comparedConversation).max(50),
    /** Whether a changed conversation is described again. */
    wants_content: z.boolean(),
  }),
  response: z.object({
    conversations: z.array(
      z.object({
        state: z.enum(['same', 'changed', 'empty']),
        /** As it is now, if it is changed and wanted. */
        conversation: missedConversation.nullable(),
      }),
    ),
  }),
})
